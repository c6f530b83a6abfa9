//! Computed fields against what is stored.

use proc_macro2::TokenStream;
use quote::quote;

use super::set_to;
use crate::derived::{Of, Source, users};
use crate::emit::expr::wide;
use crate::emit::{Emitter, Site, local, text, unraw};
use crate::expr::Expr;
use crate::model::{Field, Kind, Model, sharers};

/// Compares computed fields with what is stored.
pub(super) fn derived(emitter: &Emitter<'_>) -> TokenStream {
    let (mut all, rt) = (TokenStream::new(), &emitter.rt);
    let steps = emitter.steps;
    for step in steps {
        let Source::Calc(expr) = step.source else { continue };
        let target = step.target;
        let Some(field) = emitter.model.fields().get(target) else { continue };
        let scalar = field.kind.scalar().filter(|scalar| !scalar.variable);
        let bits = scalar.map_or(64, |scalar| u32::from(scalar.size.min(8)) * 8);
        let (call, kept) = if field.kind.is_signed() {
            let (least, most) = (i64::MIN >> (64 - bits), i64::MAX >> (64 - bits));
            (emitter.signed("calc", expr, Site::Walk), quote!((#least, #most)))
        } else {
            let most = u64::MAX >> (64 - bits);
            (emitter.size("calc", expr, Site::Walk), quote!((0, #most)))
        };
        let name = local(&field.name);
        let stored = wide(&emitter.rt, field);
        all.extend(if field.is_optional() {
            let stored = quote!(#rt::ops::Widen::widen(__stored));
            quote! {
                if let __rt::Some(__stored) = &#name {
                    __spans.calculated(__obs, #target, #call, #stored, #kept);
                }
            }
        } else {
            quote!(__spans.calculated(__obs, #target, #call, #stored, #kept);)
        });
    }
    all.extend(named(emitter));
    all.extend(made(emitter));
    all.extend(set(emitter));
    all.extend(claims_of_absent(emitter));
    if all.is_empty() {
        return all;
    }
    quote!(if __O::RECORD { #all })
}

/// Compares enums of numbers with the tags that they are computed from.
fn named(emitter: &Emitter<'_>) -> TokenStream {
    let rt = &emitter.rt;
    let mut all = TokenStream::new();
    for (index, field) in emitter.model.fields().iter().enumerate() {
        let Some(word) = field.words.calc.as_ref().filter(|_| field.named_tag().is_some()) else {
            continue;
        };
        let call = emitter.size("calc", &word.value, Site::Walk);
        let name = local(&field.name);
        all.extend(quote! {
            let __stored = #rt::named::number_of(&#name);
            __spans.calculated(__obs, #index, #call, __stored, (0, ::core::primitive::u64::MAX));
        });
    }
    for (index, field) in emitter.model.fields().iter().enumerate() {
        let Some(of) = field.tag_of_bytes() else { continue };
        let (of, name) = (local(of), local(&field.name));
        all.extend(quote! {
            let __same = #rt::union::is_tag(&#name, #rt::TaggedBy::tag_by(&#of));
            __spans.tagged(__obs, #index, __same);
        });
    }
    all
}

/// Compares what is no number with what its function gives.
fn made(emitter: &Emitter<'_>) -> TokenStream {
    let fields = emitter.model.fields().iter().enumerate();
    let made = fields.filter_map(|(index, field)| {
        let (made, name) = (emitter.made(field, field.made_by()?, Site::Walk), local(&field.name));
        Some(quote!(__spans.made(__obs, #index, #made.map(|__made| __made == #name));))
    });
    made.collect()
}

/// Compares what the writer sets in nested values with what is stored there.
fn set(emitter: &Emitter<'_>) -> TokenStream {
    let rt = &emitter.rt;
    let mut all = TokenStream::new();
    for (index, field) in emitter.model.fields().iter().enumerate() {
        for (member, expr) in field.setters() {
            let (name, label) = (local(&field.name), text(&unraw(member)));
            let both = set_to::both(emitter, expr, &quote!(#name.#member));
            all.extend(quote! {{
                #both
                #rt::walk::set(
                    __obs, (Self::__WIRE, #index, #label), __spans.get(#index),
                    (__computed, __found),
                );
            }});
        }
    }
    all
}

/// Whether the number that tells the place or size of absent fields (`users`) stays as it is, which
/// else would be 0: where something else of the declaration depends on it, unless the condition of such
/// a field holds for it, and where the condition would hold for 0.
pub(crate) fn is_kept(
    emitter: &Emitter<'_>,
    target: &Field<'_>,
    users: &[&Field<'_>],
    site: Site,
) -> Option<TokenStream> {
    if matches!(target.kind, Kind::Auto(..)) {
        return None;
    }
    let own = |expr: &&Expr| {
        expr.measures().is_empty() && expr.names().iter().any(|name| **name == target.name)
    };
    let conditions = users.iter().filter_map(|user| Some(&user.words.condition.as_ref()?.value));
    let conditions = conditions.filter(own).map(|expr| emitter.condition("if", expr, site));
    let conditions: Vec<TokenStream> = conditions.collect();
    let depends = others_depend(emitter.model, target, users);
    // A place that says that the field is absent says so by itself, unless the `if` does.
    let nullable = users.iter().filter(|user| user.words.null.is_some());
    let elsewhere = nullable.map(|user| user.words.condition.as_ref());
    let elsewhere = elsewhere.collect::<Option<Vec<_>>>()?;
    let elsewhere: Vec<TokenStream> = elsewhere
        .into_iter()
        .map(|condition| emitter.condition("if", &condition.value, site))
        .map(|condition| quote!(#condition != __rt::Some(true)))
        .collect();
    if conditions.is_empty() {
        return depends
            .then(|| if elsewhere.is_empty() { quote!(true) } else { quote!((#(#elsewhere)&&*)) });
    }
    let (name, ty) = (local(&target.name), target.inner);
    let zero = quote!(<#ty as ::core::default::Default>::default());
    let zero = match (target.is_optional(), site) {
        (false, _) => zero,
        (true, Site::Walk) => quote!(__rt::Some(#zero)),
        (true, Site::Write) => quote!(&__rt::Some(#zero)),
    };
    let holds = quote!((#(#conditions == __rt::Some(true))||*));
    let stays = depends.then(|| quote!(!#holds ||));
    let elsewhere = (!elsewhere.is_empty()).then(|| quote!(#(#elsewhere &&)*));
    Some(quote!((#elsewhere (#stays { let #name = #zero; #holds }))))
}

/// Whether something else of the declaration than `users` names a number, and may not take 0.
fn others_depend(model: &Model<'_>, target: &Field<'_>, users: &[&Field<'_>]) -> bool {
    model.exprs().into_iter().any(|one| {
        let owner = one.field().and_then(|index| model.fields().get(index));
        let is_other = owner.is_none_or(|owner| users.iter().all(|user| user.name != owner.name));
        is_other && one.expr.names().iter().any(|name| **name == target.name)
    })
}

/// A length or count of a field that is not there is written as 0, so another value gets lost.
pub(super) fn claims_of_absent(emitter: &Emitter<'_>) -> TokenStream {
    let mut all = TokenStream::new();
    let steps = emitter.steps;
    for step in steps {
        let Source::Solved(solved) = &step.source else { continue };
        // That of a branch stays as it is.
        if !solved.when.is_empty() {
            continue;
        }
        let Some(target) = emitter.model.fields().get(step.target) else { continue };
        let mut null = None;
        let (users, expected) = match solved.of {
            Of::Offset(index) => {
                let Some(own) = emitter.model.fields().get(index) else { continue };
                null = own.words.null.as_ref().map(|null| &null.value);
                let place = null.map_or_else(|| quote!(0), |null| quote!(#null));
                (sharers(emitter.model, own).into_iter().map(|(_, field)| field).collect(), place)
            }
            // A stored one is the least to write, which an absent field keeps.
            Of::PadTo(index) if matches!(target.kind, Kind::Auto(..)) => {
                (emitter.model.fields().get(index).into_iter().collect(), quote!(0))
            }
            of => (users(emitter.model, target, of), quote!(0)),
        };
        if users.is_empty() || !users.iter().all(|user| user.is_optional()) {
            continue;
        }
        let found = match (null, users.iter().find_map(|user| user.words.at.as_ref())) {
            // It is a place that says that nothing is there.
            (Some(_), Some(at)) => emitter.size("at", &at.value, Site::Walk),
            _ => {
                let (rt, name) = (&emitter.rt, local(&target.name));
                if target.is_optional() {
                    quote!(#name.as_ref().and_then(|__stored| #rt::ops::to_size(#rt::ops::Widen::widen(__stored))))
                } else {
                    quote!(#rt::ops::to_size(#rt::ops::Widen::widen(#name)))
                }
            }
        };
        // A number that is absent itself says nothing.
        let there = target.is_optional().then(|| {
            let name = local(&target.name);
            quote!(&& #name.is_some())
        });
        let index = step.target;
        let names = users.iter().map(|user| local(&user.name));
        let kept = is_kept(emitter, target, &users, Site::Walk);
        let lost = kept.map(|kept| quote!(&& !#kept));
        all.extend(quote! {
            if #(#names.is_none())&&* #there #lost {
                __spans.of_absent(__obs, #index, #expected, #found);
            }
        });
    }
    all
}
