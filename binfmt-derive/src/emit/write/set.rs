//! `set`: what the writer puts into the fields of a nested value.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};
use syn::{Ident, LitStr};

use super::parallel::holds_tables;
use super::plan::{Plan, mark};
use super::value::{is_sized, with_prefix};
use crate::derived::Point;
use crate::emit::expr::ToBeSet;
use crate::emit::{Emitter, Site, local, text, unraw};
use crate::expr::Expr;
use crate::model::Field;

/// Plans a number that is set in the copy of a nested value.
///
/// The copy is made where the first one is known. What is known behind the place of the value is put
/// into it there, and the value is written over when the last one is.
pub(super) fn plan(plan: &mut Plan<'_, '_>, index: usize, number: usize) {
    let emitter = plan.emitter;
    let Some(field) = emitter.model.fields().get(index) else { return };
    let Some(setter) = field.setters().get(number) else { return };
    let (rt, name, copy, ty) = (&emitter.rt, local(&field.name), copy_of(field), field.ty);
    let points: Vec<_> =
        (0..field.setters().len()).map(|number| plan.ready.set_to(index, number)).collect();
    let planned = plan.sets_planned.entry(index).or_default();
    *planned = planned.saturating_add(1);
    let (is_first, is_last) = (*planned == 1, *planned == points.len());
    if is_first {
        let first = points.iter().min().copied().unwrap_or(Point::BEFORE);
        plan.at(first, quote!(let mut #copy = #rt::wanted::to_be_set::<#ty>(#name);));
    }
    let put = put(emitter, field, setter);
    plan.at(plan.ready.set_to(index, number), quote!(#put let #name = &#copy;));
    // A value that holds tables is written over with their numbers, too.
    if is_last && plan.is_reserved(index) && !holds_tables(emitter, field) {
        let last = points.iter().max().copied().unwrap_or(Point::BEFORE);
        plan.at(last, write_over(plan, index, field));
    }
}

/// The local with the numbers in it.
fn copy_of(field: &Field<'_>) -> Ident {
    format_ident!("__set_{}", unraw(&field.name))
}

/// Puts a number into the copy.
fn put(emitter: &Emitter<'_>, field: &Field<'_>, (member, expr): &(Ident, Expr)) -> TokenStream {
    let (rt, ty, copy) = (&emitter.rt, field.ty, copy_of(field));
    let (label, member_name) = (text(&field.label), text(&unraw(member)));
    let (call, what) = emitter.to_be_set(expr, Site::Write);
    let function = match what {
        ToBeSet::Number => quote!(#rt::setter::set),
        ToBeSet::Tag => quote!(#rt::setter::set_tag),
        ToBeSet::Truth => quote!(#rt::setter::set_truth),
    };
    let (at, place, names) =
        (mark(field, "at"), quote!(#copy.#member), quote!(&[#label, #member_name]));
    let put = put_by(&function, &label, &quote!(#at), (&place, &names), &call, member.span());
    quote! {
        const { #rt::ops::may_set(<#ty as #rt::Wire<'_>>::WIRE, #member_name) };
        #put
    }
}

/// Looks at a number in the copy once more, when its expression may give another one.
pub(super) fn stays(
    emitter: &Emitter<'_>,
    field: &Field<'_>,
    (member, expr): &(Ident, Expr),
) -> TokenStream {
    let (copy, rt, at) = (copy_of(field), &emitter.rt, mark(field, "at"));
    let (label, member_name) = (text(&field.label), text(&unraw(member)));
    // Neither a condition nor a tag tells a width.
    let (call, what) = emitter.to_be_set(expr, Site::Write);
    if what != ToBeSet::Number {
        return TokenStream::new();
    }
    quote!(#rt::setter::stays(__out, &[#label, #member_name], #at, &#copy.#member, #call)?;)
}

/// Writes the value again, where it lies.
fn write_over(plan: &Plan<'_, '_>, index: usize, field: &Field<'_>) -> TokenStream {
    let emitter = plan.emitter;
    let (name, label) = (local(&field.name), text(&field.label));
    let region = mark(field, "region");
    let (over, write) = over(plan, index, &with_prefix(emitter, field));
    let size = is_sized(field).then(|| quote!(let mut __size = 0_u64;));
    let lengthened = lengthened(emitter, field, &quote!(__longer));
    quote! {
        __out.enter(#label);
        #size
        __out.#over(#region, &mut |__out| {
            let __longer = __out.has_room().then(|| {
                let mut __longer = ::core::clone::Clone::clone(#name);
                #lengthened
                __longer
            });
            let __value = __longer.as_ref().unwrap_or(#name);
            #write
            __rt::Ok(())
        })?;
        __out.leave();
    }
}

/// How a value is written over, and what writes it there; what is asked of its decoded bytes is known then.
pub(super) fn over(plan: &Plan<'_, '_>, index: usize, write: &TokenStream) -> (Ident, TokenStream) {
    match plan.seen_decoded(index) {
        Some((before, behind)) => {
            (format_ident!("write_over_seen"), quote!(#before #write #behind))
        }
        None => (format_ident!("write_over"), write.clone()),
    }
}

/// Gives the numbers that are set in `copy` the bytes that its region has more than they need.
pub(super) fn lengthened(
    emitter: &Emitter<'_>,
    field: &Field<'_>,
    copy: &TokenStream,
) -> TokenStream {
    let (rt, members) = (&emitter.rt, field.setters().iter().map(|(member, _)| member));
    quote! {{
        use #rt::setter::{AnyBlank as _, NumberBlank as _};
        #(#rt::setter::Blank(&mut #copy.#members).lengthen(__out);)*
    }}
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
        let __number = #value;
        let #target = &mut #place;
        #function(__out, #label, #at, #target, #names, __number)?;
    }}
}
