//! What limits the places of a slot: the offsets that its number can say.

use proc_macro2::TokenStream;
use quote::quote;

use super::slots::{base, is_offset};
use crate::derived::{Of, Point, Solved, Source, entry_steps};
use crate::emit::walk::place_of;
use crate::emit::{Emitter, Site};
use crate::expr::Expr;
use crate::model::{Field, Numeric, Space, is_item};

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

/// That the number may be below 0, which an item says for each value when that is written.
fn below(
    emitter: &Emitter<'_>,
    field: &Field<'_>,
    base: &TokenStream,
    site: Site,
) -> Option<TokenStream> {
    if field.is_element {
        return (site == Site::Walk).then(|| quote!(.below(#base, ::core::primitive::u64::MAX)));
    }
    let (index, _) = emitter.model.field(&field.name)?;
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

/// That the numbers of an item, in `entry`, may be below 0.
pub(super) fn below_in_item(
    emitter: &Emitter<'_>,
    (index, element): (usize, &Field<'_>),
    entry: &TokenStream,
) -> Option<TokenStream> {
    let steps = entry_steps(emitter.model, index);
    let step = steps.iter().find(|step| is_offset(step.solved.of))?;
    told_by(emitter, element, Site::Write)?;
    let (rt, base) = (&emitter.rt, base(emitter, element));
    let number = place_of(step.target, entry);
    Some(quote!(*__slot = __slot.below(#base, #rt::setter::lowest(&#number));))
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
