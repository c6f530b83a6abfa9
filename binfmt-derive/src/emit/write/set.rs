//! `set`: what the writer puts into the fields of a nested value.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};
use syn::{Ident, LitStr};

use super::plan::{Plan, mark};
use super::value::{is_sized, with_prefix};
use crate::emit::{Site, local, text, unraw};

/// Plans the copy of a nested value with numbers that are set.
pub(super) fn plan(plan: &mut Plan<'_, '_>, index: usize) {
    let emitter = plan.emitter;
    let Some(field) = emitter.model.fields().get(index) else { return };
    let (name, label) = (local(&field.name), text(&unraw(&field.name)));
    let (copy, at) = (format_ident!("__set_{}", unraw(&field.name)), mark(field, "at"));
    let ty = field.ty;
    let setters = field.setters().iter().map(|(member, expr)| {
        let member_name = text(&unraw(member));
        let rt = &emitter.rt;
        let may = quote!(const { #rt::ops::may_set(<#ty as #rt::Wire<'_>>::WIRE, #member_name) };);
        let (call, truth) = emitter.to_be_set(expr, Site::Write);
        let function =
            if truth { quote!(#rt::setter::set_truth) } else { quote!(#rt::setter::set) };
        let place = quote!(#copy.#member);
        let names = quote!(&[#label, #member_name]);
        let put = put_by(&function, &label, &quote!(#at), (&place, &names), &call, member.span());
        quote!(#may #put)
    });
    let setters = quote!(#(#setters)*);
    let mut set = quote! {
        let mut #copy = <#ty as ::core::clone::Clone>::clone(#name);
        #setters
        let #name = &#copy;
    };
    if plan.is_reserved(index) {
        let (region, write) = (mark(field, "region"), with_prefix(emitter, field));
        let size = is_sized(field).then(|| quote!(let mut __size = 0_u64;));
        set.extend(quote! {
            __out.enter(#label);
            #size
            __out.write_over(#region, &mut |__out| {
                let __value = #name;
                #write
                ::core::result::Result::Ok(())
            })?;
            __out.leave();
        });
    }
    plan.at(plan.ready.set_in(index), set);
}

/// Sets the number at `place` by a function; what cannot be set is told at `span`, where it is named.
pub(super) fn put_by(
    function: &TokenStream,
    label: &LitStr,
    at: &TokenStream,
    (place, names): (&TokenStream, &TokenStream),
    value: &TokenStream,
    span: Span,
) -> TokenStream {
    let target = Ident::new("__place", span.resolved_at(Span::call_site()));
    quote! {{
        let __number: ::core::option::Option<::core::primitive::u64> = #value;
        let #target = &mut #place;
        #function(__out, #label, #at, (#target, #names), __number)?;
    }}
}
