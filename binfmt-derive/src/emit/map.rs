//! Fields that are converted by functions of the user.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Path, Type};

use super::{Emitter, Site, by_hand};
use crate::attr::Map;
use crate::model::Field;
use crate::tokens::respanned;

/// Reads what is stored for a field and converts it.
pub(super) fn read(emitter: &Emitter<'_>, field: &Field<'_>, map: &Map) -> TokenStream {
    let (rt, stored, from, into) = (&emitter.rt, &map.stored, &map.from, &map.into);
    let args = emitter.stored_args(stored, field, Site::Walk);
    let (bindings, given) = by_hand::given(emitter, field, Site::Walk);
    let inner = field.inner;
    let again = call(emitter, (into, stored), &quote!(&__value), &given);
    let value = call(emitter, (from, inner), &quote!(__read), &given);
    quote!({
        let __at = __cur.pos();
        #bindings
        let __passed = #args;
        let __read = __obs.nested::<#stored>(__cur, __passed)?;
        let __value: #inner = #rt::map::read(__cur, __obs, __at, #value)?;
        if __O::RECORD {
            #rt::map::kept::<#stored, __O>(__cur, __obs, __at, #again.as_ref(), __passed);
        }
        __value
    })
}

/// Converts `__value` and writes it.
pub(super) fn write(emitter: &Emitter<'_>, field: &Field<'_>) -> Option<TokenStream> {
    let map = &field.words.map.as_ref()?.value;
    let (rt, stored, from, into) = (&emitter.rt, &map.stored, &map.from, &map.into);
    let args = emitter.stored_args(stored, field, Site::Write);
    let (bindings, given) = by_hand::given(emitter, field, Site::Write);
    let value = call(emitter, (into, stored), &quote!(__value), &given);
    let (again, inner) =
        (call(emitter, (from, field.inner), &quote!(__stored), &given), field.inner);
    let is_given = !given.is_empty();
    Some(quote! {
        #bindings
        if let __rt::Some(__stored) = #rt::map::write::<#stored>(__out, #value, #is_given)? {
            let (__passed, __before) = (#args, __out.pos());
            #rt::Wire::emit(&__stored, __out, __passed)?;
            #rt::map::gives_back::<#inner>(__out, __before, || #again, |__again| {
                use #rt::map::{AnyBack as _, NumberBack as _};
                (&#rt::map::Back::<#inner>(__value)).is(__again)
            })?;
        }
    })
}

/// Where generated code stands that calls a function of the user, which may have other types.
pub(super) fn place(function: &Path) -> Span {
    Span::call_site().located_at(function.span())
}

/// A call of such a function, as the `Option` of what it has to give.
fn call(
    emitter: &Emitter<'_>,
    (function, ty): (&Path, &Type),
    value: &TokenStream,
    given: &TokenStream,
) -> TokenStream {
    let span = place(function);
    let (rt, value) = (respanned(emitter.rt.clone(), span), respanned(value.clone(), span));
    quote_spanned!(span=> #rt::map::given::<#ty>(#function(#value #given)))
}
