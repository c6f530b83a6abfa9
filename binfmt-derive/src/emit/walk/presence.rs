//! Whether a field is there: its condition, its magic, and the place that says that nothing is.

use proc_macro2::TokenStream;
use quote::quote;

use crate::derived::{Of, computes};
use crate::emit::magic::field_magic;
use crate::emit::{Emitter, Site, local};
use crate::expr::Expr;
use crate::model::{Field, sharers};
use crate::steps::Presence;

/// Whether a field is there that may be absent.
pub(crate) fn condition(emitter: &Emitter<'_>, field: &Field<'_>, site: Site) -> TokenStream {
    let index = emitter.model.field(&field.name).map(|(index, _)| index);
    let presence = index.and_then(|index| emitter.lowered.presence(index));
    presence.map_or_else(|| quote!(true), |presence| holds(emitter, field, presence, site))
}

/// Whether nothing is computed from the place of a field: then it does not follow from whether the field
/// is there.
fn is_place_given(emitter: &Emitter<'_>, field: &Field<'_>) -> bool {
    let computed = emitter.model.field(&field.name).is_some_and(|(index, field)| {
        field.parallel.is_some() || computes(emitter.steps, Of::Offset(index))
    });
    field.is_view() || !computed
}

/// Whether the place of a field says whether the field is there, and not the other way round: nothing is computed
/// from it, or a field that shares its number may be there when this one is not.
pub(crate) fn place_decides(emitter: &Emitter<'_>, field: &Field<'_>) -> bool {
    let shares = field.parallel.is_none() && sharers(emitter.model, field).len() > 1;
    shares || is_place_given(emitter, field)
}

/// A writer asks only for the condition: magic and offset are its own, where they are computed.
pub(super) fn holds(
    emitter: &Emitter<'_>,
    field: &Field<'_>,
    presence: Presence<'_>,
    site: Site,
) -> TokenStream {
    let mut parts = Vec::new();
    if let Some(condition) = presence.condition {
        let call = emitter.condition("if", condition, site);
        parts.push(quote!(#call == __rt::Some(true)));
    }
    if presence.magic && site == Site::Walk {
        parts.push(there(emitter, field));
    }
    if let Some((at, null)) = presence.null
        && (site == Site::Walk || place_decides(emitter, field))
    {
        let call = emitter.size("at", at, site);
        let there = numbers_there(emitter, at, site).map(|there| quote!(#there &&));
        parts.push(quote!(#there #call != __rt::Some(#null)));
    }
    match parts.as_slice() {
        [] => quote!(true),
        [one] => one.clone(),
        _ => quote!(#(#parts)&&*),
    }
}

/// Whether the number of a place is there; where it is absent, it tells of none. `None` where it always is.
fn numbers_there(emitter: &Emitter<'_>, at: &Expr, site: Site) -> Option<TokenStream> {
    if let Expr::If(condition, yes, no) = at {
        let branches = [yes, no].map(|branch| numbers_there(emitter, branch, site));
        if branches.iter().all(Option::is_none) {
            return None;
        }
        let [yes, no] = branches.map(|there| there.unwrap_or_else(|| quote!(true)));
        let call = emitter.condition("if", condition, site);
        return Some(quote!((if #call == __rt::Some(true) { #yes } else { #no })));
    }
    let numbers = at.names().into_iter().filter(|name| emitter.is_integer_inside(name));
    let numbers: Vec<_> = numbers.filter(|name| at.has_operand(name)).map(local).collect();
    (!numbers.is_empty()).then(|| quote!(#(#numbers.is_some())&&*))
}

/// Whether the magic of a field, or that of its type, comes next.
fn there(emitter: &Emitter<'_>, field: &Field<'_>) -> TokenStream {
    let (rt, ty) = (&emitter.rt, field.inner);
    match field_magic(emitter, field) {
        Some(bytes) => quote!(__cur.rest().starts_with(&#bytes)),
        None => quote!({
            const { #rt::ops::has_magic(<#ty as #rt::Wire<'_>>::WIRE) };
            #rt::walk::there(__cur, <#ty as #rt::Wire<'_>>::WIRE)
        }),
    }
}
