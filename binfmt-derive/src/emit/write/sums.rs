//! Checksums: computed last, over the bytes that lie there.

use quote::{ToTokens as _, quote};

use super::plan::{Plan, mark};
use crate::derived::Point;
use crate::emit::checksum::{kept, of_decoded, stored};
use crate::emit::{Emitter, local, text};
use crate::errors::Errors;
use crate::expr::Expr;
use crate::model::checksum::{Sum, all, in_order};
use crate::model::{Kind, Model};

/// Plans the checksums, each behind those that it covers.
pub(super) fn plan(plan: &mut Plan<'_, '_>) {
    let (emitter, rt, model) = (plan.emitter, &plan.emitter.rt, plan.emitter.model);
    let place = |index: usize| {
        let field = &model.fields()[index];
        (mark(field, "from"), mark(field, "to"))
    };
    // A circle has been reported already.
    for (number, sum) in in_order(&mut Errors::default(), model).iter().enumerate() {
        let Some(field) = model.fields().get(sum.field) else { continue };
        let (digest, ty, hole) = (&sum.checksum.digest, stored(field), mark(field, "hole"));
        let from = sum.first.map_or(quote!(__start), |first| place(first).0.to_token_stream());
        let to = sum.last.map_or(quote!(__end), |last| place(last).1.to_token_stream());
        let pair = |index: &usize| {
            let (from, to) = place(*index);
            quote!((#from, #to))
        };
        let (zeros, except) = (sum.zero.iter().map(pair), sum.except.iter().map(pair));
        let (name, order) = (local(&field.name), emitter.order(field));
        let kept = kept(emitter, sum.checksum, field);
        let compute = if sum.decoded.is_some() {
            let computed = of_decoded(field);
            quote!(#kept.1(#rt::checksum::store::<#digest, _>(__out, #hole, #computed, #order)?))
        } else {
            quote! {
                #kept.1(#rt::checksum::compute::<#digest, _>(__out, #hole, (#from, #to), (&[#(#zeros),*], &[#(#except),*]), #order)?)
            }
        };
        // Scalars are bound by value, all else by reference.
        let compute = match (field.is_optional(), field.kind) {
            (true, _) => quote! {
                let __sum: __rt::Option<#ty> =
                    if #name.is_some() { __rt::Some(#compute) } else { __rt::None };
                let #name = &__sum;
            },
            (false, Kind::Array(_)) => quote!(let __sum: #ty = #compute; let #name = &__sum;),
            (false, _) => quote!(let #name: #ty = #compute;),
        };
        let (at, label) = (mark(field, "at"), text(&field.label));
        let referred = field.is_optional() || matches!(field.kind, Kind::Array(_));
        let by_value = referred.then(|| quote!(*));
        let same = (!matches!(field.kind, Kind::Auto(..))).then(|| {
            let held = plan.emitter.held(&field.member);
            match field.kind {
                Kind::Scalar(_) if field.is_optional() => {
                    quote!(__out.computed_if_there(&[#label], #at, (#held, *#name))?;)
                }
                Kind::Scalar(_) => quote!(__out.computed(&[#label], #at, (#held, #name))?;),
                _ => quote!(__out.computed_as(&[#label], #at, #held == #by_value #name)?;),
            }
        });
        plan.at(Point::sum(model, number), quote!(#compute #same));
    }
}

/// Whether a checksum begins or ends at a field, counts it as zeros, or leaves it out.
pub(super) fn touches(emitter: &Emitter<'_>, index: usize) -> bool {
    let covers = |sum: &Sum<'_>| {
        sum.decoded.is_none()
            && (sum.first == Some(index)
                || sum.last == Some(index)
                || sum.zero.contains(&index)
                || sum.except.contains(&index))
    };
    all(emitter.model).iter().any(covers)
}

/// Whether the value has checksums, and whether anything but their bytes depends on them.
pub(super) fn holds(plan: &Plan<'_, '_>) -> Option<bool> {
    let model = plan.emitter.model;
    let mut parallel = model.fields().iter().filter_map(|field| field.parallel.as_ref());
    if parallel.any(|parallel| parallel.sum.is_some()) {
        // Rules about an item look at its checksum.
        return Some(true);
    }
    if all(model).is_empty() {
        return None;
    }
    let first = Point::sum(model, 0);
    Some(checked(model).into_iter().any(|expr| plan.ready.expr(expr) >= first))
}

/// The expressions that are looked at when everything is known.
fn checked<'m>(model: &'m Model<'_>) -> Vec<&'m Expr> {
    let mut list = Vec::new();
    for words in model.all_words() {
        list.extend(words.rules.iter().map(|rule| &rule.condition));
        list.extend(words.condition.iter().map(|word| &word.value));
    }
    for field in model.fields() {
        list.extend(field.setters().iter().map(|(_, expr)| expr));
    }
    list
}
