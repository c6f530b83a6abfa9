//! What limits the places of a slot: the offsets that its number can say.

use proc_macro2::TokenStream;
use quote::quote;

use super::parallel::{entries_of, stored};
use super::slots::is_offset;
use crate::derived::{Of, Point, Solved, Source, entry_steps};
use crate::emit::walk::place_of;
use crate::emit::{Emitter, Site};
use crate::expr::Expr;
use crate::model::{Field, Numeric, Parallel, Space, is_item};

/// What limits the places of a slot: the offset that says that nothing is there, and those that no
/// number stands for. `at = n * 4 + 2` tells none below 2, and of the others every fourth.
pub(in crate::emit) fn limits(
    emitter: &Emitter<'_>,
    field: &Field<'_>,
    base: &TokenStream,
    site: Site,
) -> TokenStream {
    let but = field.words.null.as_ref().map(|null| {
        let null = &null.value;
        quote!(.but_at(#base, #null))
    });
    let given = told_by(emitter, field, site);
    let given = given.map(|(add, sub, unit)| quote!((#add, #sub, #unit)));
    let given = given.or_else(|| by_branch(emitter, field, site));
    let below = given.is_some().then(|| below(emitter, field, base, site));
    let given = given.map(|given| quote!(.told_by(#base, #given) #below));
    let ends = field.goes_to_next().then(|| quote!(.up_to_next()));
    quote!(#but #given #ends)
}

/// That the number may be below 0.
fn below(
    emitter: &Emitter<'_>,
    field: &Field<'_>,
    base: &TokenStream,
    site: Site,
) -> Option<TokenStream> {
    let (index, own) = emitter.model.field(&field.name)?;
    if let Some(parallel) = own.parallel.as_ref().filter(|_| field.is_element) {
        let lowest = lowest_of_items(emitter, index, parallel, site)?;
        return Some(quote!(.below(#base, #lowest)));
    }
    let scalars = emitter.steps.iter().filter_map(|step| match &step.source {
        Source::Solved(solved) if solved.of == Of::Offset(index) => {
            emitter.model.fields().get(step.target)?.kind.scalar()
        }
        _ => None,
    });
    let signed = scalars.filter(|scalar| scalar.numeric == Numeric::Signed);
    let bits = signed.map(|scalar| if scalar.variable { 64 } else { u32::from(scalar.size) * 8 });
    let lowest = 1_u64.checked_shl(bits.max()? - 1)?;
    Some(quote!(.below(#base, #lowest)))
}

/// How far below 0 the numbers of items go, which their type says. Readers do not see it of tables in other values.
fn lowest_of_items(
    emitter: &Emitter<'_>,
    index: usize,
    parallel: &Parallel<'_>,
    site: Site,
) -> Option<TokenStream> {
    let steps = entry_steps(emitter.model, index);
    let step = steps.iter().find(|step| is_offset(step.solved.of))?;
    let (rt, number) = (&emitter.rt, |item| place_of(step.target, &item));
    if site == Site::Write {
        let (entries, number) =
            (entries_of(&parallel.table), number(stored(parallel, quote!((*__item)))));
        return Some(quote!(#rt::setter::lowest_in(&#entries[..], |__item| #number)));
    }
    let (ty, number) = (emitter.model.entry_type(parallel)?, number(quote!((*__item))));
    Some(quote!(#rt::setter::lowest_of(|__item: &#ty| #number)))
}

/// What is added to a stored offset, what is taken off, and its factor, where something is, and all of
/// it is known before the value is placed.
fn told_by(
    emitter: &Emitter<'_>,
    field: &Field<'_>,
    site: Site,
) -> Option<(TokenStream, TokenStream, TokenStream)> {
    let model = emitter.model;
    let (index, _) = model.field(&field.name)?;
    let steps = entry_steps(model, index);
    let solved = if field.is_element {
        &steps.iter().find(|step| is_offset(step.solved.of))?.solved
    } else {
        emitter.steps.iter().find_map(|step| match &step.source {
            Source::Solved(solved) if solved.of == Of::Offset(index) && solved.when.is_empty() => {
                Some(solved)
            }
            _ => None,
        })?
    };
    let point = emitter.ready.places(Space::of(model, field));
    if solved.is_scaled() {
        return scaled(emitter, solved, point, site)
            .map(|(add, sub, unit)| (add, sub, quote!(#unit.max(1))));
    }
    if solved.taken_off {
        return None;
    }
    let number = |term: &&Expr| match term {
        Expr::Int(value, _) => Some(*value),
        _ => None,
    };
    if !solved.terms().iter().all(|term| number(term).is_some()) {
        return scaled(emitter, solved, point, site);
    }
    let sum =
        |terms: &[&Expr]| terms.iter().try_fold(0_u64, |sum, term| sum.checked_add(number(term)?));
    let (add, sub) = (sum(&solved.add)?, sum(&solved.sub)?);
    let unit = solved.mul.map_or(Some(1), |mul| number(&mul))?;
    ((add, sub, unit) != (0, 0, 1)).then(|| (quote!(#add), quote!(#sub), quote!(#unit)))
}

/// The same where each branch has a number of its own: that of the one which is taken.
fn by_branch(emitter: &Emitter<'_>, field: &Field<'_>, site: Site) -> Option<TokenStream> {
    let model = emitter.model;
    let (index, _) = model.field(&field.name).filter(|_| !field.is_element)?;
    let point = emitter.ready.places(Space::of(model, field));
    let branches = emitter.steps.iter().filter_map(|step| match &step.source {
        Source::Solved(solved) if solved.of == Of::Offset(index) && !solved.when.is_empty() => {
            Some(solved)
        }
        _ => None,
    });
    let mut all = None;
    for solved in branches {
        let (add, sub, unit) = scaled(emitter, solved, point, site)?;
        let holds = solved.when.iter().map(|(condition, wanted)| {
            let call = emitter.condition("if", condition, site);
            quote!(#call == __rt::Some(#wanted))
        });
        let others = all.unwrap_or_else(|| quote!((0_u64, 0_u64, 1_u64)));
        all = Some(quote!(if #(#holds)&&* { (#add, #sub, #unit.max(1)) } else { #others }));
    }
    all
}

/// The same for a number in sums with factors, all of which are multiplied out.
fn scaled(
    emitter: &Emitter<'_>,
    solved: &Solved<'_>,
    point: Point,
    site: Site,
) -> Option<(TokenStream, TokenStream, TokenStream)> {
    let terms = solved.terms();
    if solved.taken_off || !terms.iter().all(|term| is_known(emitter, term, point)) {
        return None;
    }
    let sum = |terms: &[&Expr]| {
        let terms = terms.iter().map(|term| emitter.size("term", term, site));
        quote!(0_u64 #(.saturating_add(#terms.unwrap_or(0)))*)
    };
    let (add, sub) = (sum(&solved.add), sum(&solved.sub));
    let mul = solved.mul.map(|mul| emitter.size("term", mul, site));
    let mul = mul.map_or_else(|| quote!(1_u64), |mul| quote!(#mul.unwrap_or(1)));
    let Some(inner) = &solved.inner else { return Some((add, sub, mul)) };
    let (more, less, unit) = scaled(emitter, inner, point, site)?;
    let rt = &emitter.rt;
    let times = |number: TokenStream| quote!((#number).saturating_mul(#mul));
    let least = times(quote!(#rt::place::least(#more, #less, #unit)));
    Some((quote!(#add.saturating_add(#least)), sub, times(unit)))
}

/// Whether a term is known at a point, and follows from no item.
fn is_known(emitter: &Emitter<'_>, term: &Expr, point: Point) -> bool {
    let parts = term.parts();
    emitter.ready.expr(term) <= point && parts.iter().all(|(name, _)| !is_item(name))
}
