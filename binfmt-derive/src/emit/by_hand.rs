//! Fields that functions of the user read and write, and what these are given.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::Path;

use super::{Emitter, Site, map};
use crate::model::{Field, Kind};
use crate::tokens::respanned;

/// Reads a field by a function of the user.
pub(super) fn read(emitter: &Emitter<'_>, field: &Field<'_>, path: &Path) -> TokenStream {
    let rt = &emitter.rt;
    let (bindings, given) = given(emitter, field, Site::Walk);
    let (span, inner) = (map::place(path), field.inner);
    let rt = respanned(rt.clone(), span);
    let function = quote_spanned!(span=> #path::read);
    let function = if given.is_empty() {
        function
    } else {
        quote_spanned!(span=> |__cur| #function(__cur #given))
    };
    let read = quote_spanned!(span=> #rt::walk::with::<#inner, _>(__cur, __obs, #function)?);
    let written = written(&emitter.rt, path, &quote!(&__value), &given);
    quote!({
        #bindings
        let __from = __cur.pos();
        let __value = #read;
        if __O::RECORD {
            #rt::map::kept_by_hand(__cur, __obs, __from, &mut |__out| { #written });
        }
        __value
    })
}

/// Writes `__value` by a function of the user.
pub(super) fn write(emitter: &Emitter<'_>, field: &Field<'_>, path: &Path) -> TokenStream {
    // A plain scalar is bound by value, all else by reference.
    let by_value = matches!(field.kind, Kind::Scalar(_)) && !field.is_optional();
    let value = if by_value { quote!(&__value) } else { quote!(__value) };
    let (bindings, given) = given(emitter, field, Site::Write);
    let written = written(&emitter.rt, path, &value, &given);
    quote!(#bindings { #written }?;)
}

/// What the function of the user says that writes a value.
fn written(rt: &TokenStream, path: &Path, value: &TokenStream, given: &TokenStream) -> TokenStream {
    let span = map::place(path);
    let value = respanned(value.clone(), span);
    let rt = respanned(rt.clone(), span);
    if given.is_empty() {
        return quote_spanned!(span=> {
            let __written = #path::write(#value, __out);
            #rt::write::with(__written, __out)
        });
    }
    quote_spanned!(span=> #rt::write::with_given(__out, |__out| #path::write(#value, __out #given)))
}

/// What functions are given behind their own arguments: the code that computes it, and the values,
/// each behind a comma.
pub(super) fn given(
    emitter: &Emitter<'_>,
    field: &Field<'_>,
    site: Site,
) -> (TokenStream, TokenStream) {
    let (mut bindings, mut values) = (TokenStream::new(), TokenStream::new());
    let args = field.words.args.iter().flat_map(|args| args.value.values());
    for (number, expr) in args.enumerate() {
        let span = Span::call_site().located_at(expr.span());
        let name = format_ident!("__given_{number}", span = span);
        let value = emitter.given_by_hand(expr, site);
        let value = emitter.or_fault(&value, site);
        bindings.extend(quote!(let #name = #value;));
        if site == Site::Write {
            let rt = &emitter.rt;
            bindings.extend(quote!({
                use #rt::write::{GivenAnything as _, GivenNumber as _};
                (&#rt::write::Given(&#name)).trace(__out);
            }));
        }
        values.extend(quote!(, #name));
    }
    (bindings, values)
}
