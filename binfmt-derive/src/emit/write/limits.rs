//! What limits the places of a slot: the offsets that its number can say.

use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};

use super::bases;
use super::numbers::taken;
use super::parallel::{entries_of, stored};
use super::places::counts_from_measure;
use super::slots::is_offset;
use super::terms::sums;
use crate::derived::{EntryStep, Of, Point, Solved, Source, Step, entry_steps, flatten, set_place};
use crate::emit::walk::place_of;
use crate::emit::{Emitter, Site};
use crate::expr::{Expr, Op};
use crate::model::{Field, Numeric, Parallel, Space, is_item, sharers};

/// What limits the places of a slot: the offset that says that nothing is there, and those that no
/// number stands for. `at = n * 4 + 2` tells none below 2, and of the others every fourth.
pub(in crate::emit) fn limits(
    emitter: &Emitter<'_>,
    field: &Field<'_>,
    base: &TokenStream,
    site: Site,
) -> TokenStream {
    let null = field.words.null.as_ref().map(|null| null.value.to_token_stream());
    let null = null.or_else(|| says_absent(field).map(|number| quote!(#number)));
    let but = null.map(|null| quote!(.but_at(#base, #null)));
    let told = told(emitter, field, base, site);
    let told = match site {
        Site::Write => bases::taken(emitter, field, told),
        Site::Walk => told,
    };
    let ends = field.goes_to_next().then(|| quote!(.up_to_next()));
    let moves =
        (site == Site::Write && counts_from_measure(field)).then(|| quote!(.of_its_value()));
    quote!(#but #told #ends #moves)
}

/// The offset of which a condition says that nothing is there: `if = at != 0, at = at`.
fn says_absent(field: &Field<'_>) -> Option<u64> {
    let at = &field.words.at.as_ref()?.value;
    match &field.words.condition.as_ref()?.value {
        Expr::Binary(left, op, right) if left.is_same(at) => match (op, &**right) {
            (Op::Ne, Expr::Int(number, _)) => Some(*number),
            (Op::Gt, Expr::Int(0, _)) => Some(0),
            _ => None,
        },
        _ => None,
    }
}

/// What limits the offsets that a number can say, on its own.
pub(super) fn told(
    emitter: &Emitter<'_>,
    field: &Field<'_>,
    base: &TokenStream,
    site: Site,
) -> TokenStream {
    let given = told_by(emitter, field, site);
    let given = given.map(|(add, sub, unit)| quote!((#add, #sub, #unit)));
    let given = given.or_else(|| by_branch(emitter, field, site));
    let lowest = given.as_ref().and_then(|_| lowest(emitter, field, site));
    let below = lowest.map(|lowest| quote!(.below(#base, #lowest)));
    given.map(|given| quote!(.told_by(#base, #given) #below)).unwrap_or_default()
}

/// How far below 0 the number goes that tells the place, if it may be below 0.
pub(super) fn lowest(emitter: &Emitter<'_>, field: &Field<'_>, site: Site) -> Option<TokenStream> {
    let (index, own) = emitter.model.field(&field.name)?;
    if let Some(parallel) = own.parallel.as_ref().filter(|_| field.is_element) {
        return lowest_of_items(emitter, index, parallel, site);
    }
    let tells = tells_place(emitter, own);
    let scalars = emitter.steps.iter().filter_map(|step| match &step.source {
        Source::Solved(solved) if tells(solved) => {
            emitter.model.fields().get(step.target)?.kind.scalar()
        }
        _ => None,
    });
    let signed = scalars.filter(|scalar| scalar.numeric == Numeric::Signed);
    let bits = signed.map(|scalar| if scalar.variable { 64 } else { u32::from(scalar.size) * 8 });
    let lowest = 1_u64.checked_shl(bits.max()? - 1)?;
    Some(quote!(#lowest))
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

/// The place of a field, solved for the one number that tells it; those of items are told by `steps`.
fn solved_place<'s>(
    emitter: &'s Emitter<'_>,
    steps: &'s [EntryStep<'_>],
    field: &Field<'_>,
    index: usize,
) -> Option<&'s Solved<'s>> {
    let is_place = |solved: &&Solved<'_>| is_offset(solved.of) && solved.when.is_empty();
    if field.is_element {
        return steps.iter().map(|step| &step.solved).find(is_place);
    }
    let tells = tells_place(emitter, emitter.model.fields().get(index)?);
    let own = |solved: &&Solved<'_>| is_place(solved) && tells(solved);
    emitter.steps.iter().filter_map(Step::solved).find(own)
}

/// Which numbers tell the place of a field, or of one that shares the place.
fn tells_place(emitter: &Emitter<'_>, field: &Field<'_>) -> impl Fn(&Solved<'_>) -> bool {
    let sharers = sharers(emitter.model, field).into_iter().map(|(index, _)| Of::Offset(index));
    let sharers: Vec<Of> = sharers.collect();
    move |solved| sharers.contains(&solved.of)
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
    let set = set_place(model, index).filter(|_| !field.is_element);
    let solved = solved_place(emitter, &steps, field, index).or(set.as_ref())?;
    let point = emitter.ready.places(Space::of(model, field));
    if solved.is_scaled() {
        return scaled(emitter, field, solved, point, site)
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
        return scaled(emitter, field, solved, point, site);
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
    let (index, _) = model.field(&field.name)?;
    let point = emitter.ready.places(Space::of(model, field));
    let entries = if field.is_element { entry_steps(model, index) } else { Vec::new() };
    let of_items = entries.iter().map(|step| &step.solved);
    let of_fields = emitter.steps.iter().filter_map(Step::solved).filter(|_| !field.is_element);
    let (mut all, tells_field) = (None, tells_place(emitter, field));
    for solved in of_items.chain(of_fields) {
        let mut conditions = solved.when.iter().map(|(condition, _)| *condition);
        if field.is_element
            && !conditions.all(|condition| is_known(emitter, field, condition, point))
        {
            return None;
        }
        let tells = if field.is_element { is_offset(solved.of) } else { tells_field(solved) };
        let Some(taken) = taken(emitter, solved, site).filter(|_| tells) else { continue };
        let (add, sub, unit) = scaled(emitter, field, solved, point, site)?;
        let others = all.unwrap_or_else(|| quote!((0_u64, 0_u64, 1_u64)));
        all = Some(quote!(if #taken { (#add, #sub, #unit.max(1)) } else { #others }));
    }
    all
}

/// The same for a number in sums with factors, all of which are multiplied out.
fn scaled(
    emitter: &Emitter<'_>,
    field: &Field<'_>,
    solved: &Solved<'_>,
    point: Point,
    site: Site,
) -> Option<(TokenStream, TokenStream, TokenStream)> {
    let own = (&solved.add[..], &solved.sub[..], solved.mul, solved.inner.as_deref());
    if solved.taken_off { None } else { multiplied(emitter, field, own, point, site) }
}

/// A sum: what is added, what is taken off, its factor, and what stands for the number.
type Sum<'s, 'm> = (&'s [&'m Expr], &'s [&'m Expr], Option<&'m Expr>, Option<&'s Solved<'m>>);

/// What is told of the offsets that a sum can say.
fn multiplied(
    emitter: &Emitter<'_>,
    field: &Field<'_>,
    (add, sub, mul, inner): Sum<'_, '_>,
    point: Point,
    site: Site,
) -> Option<(TokenStream, TokenStream, TokenStream)> {
    let terms = add.iter().chain(sub).chain(&mul);
    if !terms.copied().all(|term| is_known(emitter, field, term, point)) {
        return None;
    }
    let (add, sub) = sums(emitter, (add, sub), site);
    let sum = |terms: &[TokenStream]| quote!(0_u64 #(.saturating_add(#terms.unwrap_or(0)))*);
    let (add, sub) = (sum(&add), sum(&sub));
    let mul = mul.map(|mul| emitter.size("term", mul, site));
    let mul = mul.map_or_else(|| quote!(1_u64), |mul| quote!(#mul.unwrap_or(1)));
    let Some(inner) = inner else { return Some((add, sub, mul)) };
    let (more, less, unit) = scaled(emitter, field, inner, point, site)?;
    let rt = &emitter.rt;
    let times = |number: TokenStream| quote!((#number).saturating_mul(#mul));
    let least = times(quote!(#rt::place::least(#more, #less, #unit)));
    Some((quote!(#add.saturating_add(#least)), sub, times(unit)))
}

/// That a number counts in units from the place of its leader, and which: what `told_by` says, without the numbers
/// that tell of that place.
pub(in crate::emit) fn units_behind(
    emitter: &Emitter<'_>,
    field: &Field<'_>,
    leader: usize,
    site: Site,
) -> Option<TokenStream> {
    let model = emitter.model;
    let (index, _) = model.field(&field.name)?;
    let steps = entry_steps(model, index);
    let solved = solved_place(emitter, &steps, field, index)?;
    if solved.taken_off || solved.mul.is_none() {
        return None;
    }
    let leads = &model.fields().get(leader)?.words.at.as_ref()?.value;
    let (add, mut sub) = (solved.add.clone(), solved.sub.clone());
    let add = without(add, leads, &mut sub)?;
    let point = emitter.ready.places(Space::of(model, field));
    let own = (&add[..], &sub[..], solved.mul, solved.inner.as_deref());
    let (add, sub, unit) = multiplied(emitter, field, own, point, site)?;
    Some(quote!(.in_units((#add, #sub, #unit.max(1)))))
}

/// The terms of a sum without those of the place of a leader; constants of that are taken off.
fn without<'e>(
    mut terms: Vec<&'e Expr>,
    leads: &'e Expr,
    sub: &mut Vec<&'e Expr>,
) -> Option<Vec<&'e Expr>> {
    let mut own = Vec::new();
    flatten(leads, true, &mut own);
    for (added, term) in own {
        match terms.iter().position(|other| added && other.is_equal(term)) {
            Some(found) => drop(terms.swap_remove(found)),
            None if added && matches!(term, Expr::Int(..)) => sub.push(term),
            None => return None,
        }
    }
    Some(terms)
}

/// Whether a term is known at a point, and follows from no item.
fn is_known(emitter: &Emitter<'_>, field: &Field<'_>, term: &Expr, point: Point) -> bool {
    let parts = term.parts();
    // What is a number alone may be taken before it is known.
    let is_taken = |name: &syn::Ident| {
        let named = emitter.model.field(name);
        named.is_none_or(|(index, _)| {
            emitter.ready.target(index) <= point || bases::is_base(emitter, field, index)
        })
    };
    let is_base = || term.measures().is_empty() && term.names().into_iter().all(is_taken);
    (emitter.ready.expr(term) <= point || is_base()) && parts.iter().all(|(name, _)| !is_item(name))
}
