//! Which fields the writer computes, from what, and in which order.

mod branches;
mod entries;
mod entry_sets;
mod linear;
mod made;
mod order;
mod places;
mod ready;
mod shape;
mod split;
mod units;
mod users;

pub(crate) use entries::{EntryStep, entry_steps, entry_steps_in, is_told_alone};
pub(crate) use entry_sets::{EntrySet, entry_sets, is_step_known, sets_before};
pub(crate) use linear::{Solved, flatten};
pub(crate) use order::{Item, order, uses_set};
pub(crate) use places::{
    Computed, computed_place, is_computed_place, is_set_place, leader, set_place,
};
pub(crate) use ready::{Point, Ready};
pub(crate) use shape::{Part, as_stored, exprs as shape_exprs};
use users::conditions_of_absent;
pub(crate) use users::{told, told_alike, users};

use std::collections::HashMap;

use crate::attr::Word;
use crate::errors::Errors;
use crate::expr::Expr;
use crate::model::{Field, Kind, Model, Scalar};
use linear::scaled;

/// How the writer comes by the value of one field.
pub(crate) struct Step<'m> {
    /// Index of the field that gets the value.
    pub(crate) target: usize,
    pub(crate) source: Source<'m>,
}

impl<'m> Step<'m> {
    /// What a size, count or offset says of the target.
    pub(crate) fn solved(&self) -> Option<&Solved<'m>> {
        match &self.source {
            Source::Solved(solved) => Some(solved),
            Source::Calc(_) => None,
        }
    }
}

pub(crate) enum Source<'m> {
    /// `calc = e`.
    Calc(&'m Expr),
    /// A size, count or offset expression, solved for the target.
    Solved(Solved<'m>),
}

/// What a derived field is derived from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Of {
    /// The encoded length of the whole value.
    Total,
    Len(usize),
    Count(usize),
    PadTo(usize),
    Offset(usize),
}

impl Of {
    /// The same of another field.
    pub(crate) fn of_field(self, index: usize) -> Self {
        match self {
            Self::Total => Self::Total,
            Self::Len(_) => Self::Len(index),
            Self::Count(_) => Self::Count(index),
            Self::PadTo(_) => Self::PadTo(index),
            Self::Offset(_) => Self::Offset(index),
        }
    }

    /// The field that is measured.
    pub(crate) fn field(self) -> Option<usize> {
        match self {
            Self::Total => None,
            Self::Len(index) | Self::Count(index) | Self::PadTo(index) | Self::Offset(index) => {
                Some(index)
            }
        }
    }
}

/// One `word = expression` that tells a size, count or offset.
struct Statement<'m> {
    of: Of,
    word: &'static str,
    expr: &'m Expr,
}

/// Every step, each after those whose values it uses.
pub(crate) fn steps<'m>(errors: &mut Errors, model: &'m Model<'_>) -> Vec<Step<'m>> {
    let mut waiting = statements(model);
    let mut known: Vec<usize> = Vec::new();
    let mut steps = Vec::new();
    for (index, field) in model.fields().iter().enumerate() {
        let whole = field.named_tag().is_some() || field.made_by().is_some();
        if let Some(calc) = field.words.calc.as_ref().filter(|_| !whole) {
            known.push(index);
            steps.push(Step { target: index, source: Source::Calc(&calc.value) });
        }
        if field.words.checksum.is_some() {
            known.push(index);
        }
    }
    loop {
        let before = waiting.len();
        waiting.retain(|statement| {
            let Some((target, solved)) = solve(model, statement, &known) else { return true };
            known.push(target);
            steps.push(Step { target, source: Source::Solved(solved) });
            false
        });
        if waiting.len() == before {
            break;
        }
    }
    solve_several(model, &mut waiting, &mut steps, &mut known, split::solved);
    units::solve(model, &mut waiting, &mut steps, &mut known);
    solve_several(model, &mut waiting, &mut steps, &mut known, branches::solved);
    for statement in &waiting {
        report_unsolved(errors, model, statement, &known);
    }
    report_underived(errors, model, &known);
    entries::check(errors, model);
    entry_sets::check(errors, model);
    made::check(errors, model, &known);
    let steps = in_order(errors, model, steps);
    if let Err(field) = order(model, &steps)
        && let Some(field) = model.fields().get(field)
    {
        let name = &field.name;
        let message = format!(
            "`{name}` is computed from itself by way of a number that `set` puts into a value; name another number"
        );
        errors.add(name.span(), message);
    }
    let ready = Ready::of(model, &steps);
    shape::check(errors, model, &ready, &steps);
    places::check(errors, model, &ready, &steps);
    entry_sets::check_shape(errors, model, &ready);
    steps
}

/// Solves expressions for several numbers each, of those that are left.
fn solve_several<'m>(
    model: &'m Model<'_>,
    waiting: &mut Vec<Statement<'m>>,
    steps: &mut Vec<Step<'m>>,
    known: &mut Vec<usize>,
    solved: impl Fn(&'m Model<'_>, &Statement<'m>, &[usize]) -> Option<Vec<Step<'m>>>,
) {
    waiting.retain(|statement| {
        let Some(solved) = solved(model, statement, known) else { return true };
        known.extend(solved.iter().map(|step| step.target));
        steps.extend(solved);
        false
    });
}

fn statements<'m>(model: &'m Model<'_>) -> Vec<Statement<'m>> {
    let (mut list, mut sections, mut places) = (Vec::new(), Vec::new(), Vec::new());
    let written = model.fields().iter().enumerate().filter(|(_, field)| !field.is_view());
    for (index, field) in written {
        let words = &field.words;
        let mut push = |of, word, expr: &'m Option<Word<Expr>>| {
            if let Some(expr) = expr {
                list.push(Statement { of, word, expr: &expr.value });
            }
        };
        push(Of::Count(index), "count", &words.count);
        if words.section.is_none() {
            push(Of::Len(index), "len", &words.len);
        } else if let Some(len) = &words.len {
            sections.push(Statement { of: Of::Len(index), word: "len", expr: &len.value });
        }
        push(Of::PadTo(index), "pad_to", &words.pad_to);
        if let Some(at) = &words.at {
            places.push(Statement { of: Of::Offset(index), word: "at", expr: &at.value });
        }
    }
    // A section may be longer than what lies in it, but of other values there is as much as there is.
    list.extend(sections);
    if let Some(len) = &model.words.len {
        list.push(Statement { of: Of::Total, word: "len", expr: &len.value });
    }
    // A value can lie elsewhere, but its length is what it is.
    list.extend(places);
    list
}

/// The integer fields that an expression uses and nothing determines yet.
fn unknowns<'m>(model: &'m Model<'_>, expr: &Expr, known: &[usize]) -> Vec<(usize, &'m Field<'m>)> {
    expr.names()
        .into_iter()
        .filter(|name| expr.counts(name))
        .filter_map(|name| model.field(name))
        .filter(|(index, field)| !known.contains(index) && is_derivable(field, expr))
        .collect()
}

fn is_derivable(field: &Field<'_>, expr: &Expr) -> bool {
    if field.is_optional() {
        return field.integer_inside().is_some() && expr.has_operand(&field.name);
    }
    field.kind.scalar().is_some_and(Scalar::is_int)
}

/// Whether a number without a sign is kept in the struct.
fn is_plain(field: &Field<'_>) -> bool {
    !field.kind.is_signed() && !matches!(field.kind, Kind::Auto(..))
}

fn solve<'m>(
    model: &'m Model<'_>,
    statement: &Statement<'m>,
    known: &[usize],
) -> Option<(usize, Solved<'m>)> {
    let unknown = unknowns(model, statement.expr, known);
    let [(target, field)] = unknown.as_slice() else { return None };
    let solved = solved_for(statement, field)?;
    let in_sum = solved.inner.is_none() || is_plain(field);
    (in_sum && !solved.counts_in_units()).then_some((*target, solved))
}

/// What a number is that an expression tells, solved for that.
fn solved_for<'m>(statement: &Statement<'m>, field: &Field<'_>) -> Option<Solved<'m>> {
    let holds = |expr: &Expr| expr.names().iter().any(|name| **name == field.name);
    let is = |expr: &Expr| matches!(expr, Expr::Name(name) if *name == field.name);
    // What is not in the struct has no sign to keep.
    let is_auto = matches!(field.kind, Kind::Auto(..));
    scaled(statement.expr, statement.of, &holds, &is)
        .filter(|solved| !(solved.keeps_sign && is_auto))
}

/// Whether a number is in an expression without its sign.
fn names_magnitude(expr: &Expr, name: &syn::Ident) -> bool {
    let is_own = |of: &Expr| matches!(of, Expr::Name(of) if of == name);
    let mut found = false;
    expr.walk(&mut |part| found |= part.magnitude_of().is_some_and(is_own));
    found
}

fn report_unsolved(
    errors: &mut Errors,
    model: &Model<'_>,
    statement: &Statement<'_>,
    known: &[usize],
) {
    let unknown = unknowns(model, statement.expr, known);
    let word = statement.word;
    if let [(_, field)] = unknown.as_slice() {
        let name = &field.name;
        let is_auto = matches!(field.kind, Kind::Auto(..));
        if let Expr::Call(path, args) = statement.expr
            && matches!(args.as_slice(), [Expr::Name(_)])
            && path.segments.last().is_some_and(|last| last.ident == "from" || last.ident == "into")
        {
            errors.add_range(
                statement.expr.ends(),
                format!("numbers are widened by themselves; write `{word} = {name}`"),
            );
            return;
        }
        // A plain number is compared with the value.
        if is_auto && names_magnitude(statement.expr, name) {
            errors.add_range(
                statement.expr.ends(),
                format!("`{name}` keeps its sign where its magnitude is computed, and an `Auto` keeps nothing; make it a plain number, or give it a `calc`"),
            );
        } else if is_auto {
            errors.add_range(
                statement.expr.ends(),
                format!("`{word}` is not of the form `{name} * k + c` or `c - {name} * k`, so the writer cannot compute `{name}`; give `{name}` a `calc`, or make it a plain number, which must agree"),
            );
        }
    }
    // The writer checks that plain fields agree that they agree; one that is not in the struct
    // cannot be checked.
    let mut several = unknown.iter().skip(usize::from(unknown.len() == 1));
    if let Some((_, field)) = several.find(|(_, field)| matches!(field.kind, Kind::Auto(..))) {
        let name = &field.name;
        errors.add_range(
            statement.expr.ends(),
            format!("`{word}` uses several fields and does not say what `{name}` is when written; give `{name}` a `calc`"),
        );
    }
}

/// An `Auto` field that nothing derives could not be written.
fn report_underived(errors: &mut Errors, model: &Model<'_>, known: &[usize]) {
    for (index, field) in model.fields().iter().enumerate() {
        let derived = known.contains(&index);
        if matches!(field.kind, Kind::Auto(..)) && !derived && errors.is_empty() {
            let name = &field.name;
            errors.add(
                field.name.span(),
                format!("nothing says what `{name}` is when written; use it in a `len` or `count`, or give it a `calc`"),
            );
        }
    }
}

fn in_order<'m>(errors: &mut Errors, model: &'m Model<'_>, steps: Vec<Step<'m>>) -> Vec<Step<'m>> {
    let places: HashMap<usize, usize> =
        steps.iter().enumerate().map(|(place, step)| (step.target, place)).collect();
    let needs = |step: &Step<'_>| {
        let others = uses(model, step).into_iter().filter(|index| *index != step.target);
        others.filter_map(|index| places.get(&index).copied()).collect()
    };
    let places = match order::behind_needs(steps.iter().map(needs).collect()) {
        Ok(places) => places,
        Err(first) => {
            let name = &model.fields()[steps[first].target].name;
            let message =
                format!("`{name}` is computed from itself; change one `calc` of the circle");
            errors.add(name.span(), message);
            return Vec::new();
        }
    };
    let mut steps: Vec<Option<Step<'m>>> = steps.into_iter().map(Some).collect();
    places.into_iter().filter_map(|place| steps[place].take()).collect()
}

/// The fields that a step names.
fn uses(model: &Model<'_>, step: &Step<'_>) -> Vec<usize> {
    let exprs: Vec<&Expr> = match &step.source {
        Source::Calc(expr) => vec![expr],
        Source::Solved(solved) => solved.terms(),
    };
    let names = exprs.into_iter().flat_map(Expr::names);
    names.filter_map(|name| model.field(name)).map(|(index, _)| index).collect()
}

/// Whether a number is computed from what is measured, and so agrees with it.
pub(crate) fn computes(steps: &[Step<'_>], of: Of) -> bool {
    computed_from(steps, of).is_some()
}

/// Whether that number always says what is measured: one that may be absent may be missing, with a factor
/// of 0 it says nothing, and one of a branch where that is not taken.
pub(crate) fn always_computes(model: &Model<'_>, steps: &[Step<'_>], of: Of) -> bool {
    let Some((target, solved)) = computed_from(steps, of) else { return false };
    let target = model.fields().get(target);
    target.is_some_and(|target| !target.is_optional())
        && !solved.counts_in_units()
        && solved.when.is_empty()
}

/// The field that is computed from what is measured.
fn computed_from<'s, 'm>(steps: &'s [Step<'m>], of: Of) -> Option<(usize, &'s Solved<'m>)> {
    steps
        .iter()
        .find_map(|step| Some((step.target, step.solved().filter(|solved| solved.of == of)?)))
}
