//! Which fields the writer computes, from what, and in which order.

mod entries;
mod entry_sets;
mod order;
mod places;
mod ready;
mod shape;

pub(crate) use entries::{EntryStep, entry_steps, entry_steps_in, is_told_alone};
pub(crate) use entry_sets::{EntrySet, entry_sets, is_step_known, sets_before};
pub(crate) use order::{Item, order};
pub(crate) use places::{Computed, computed_place, is_computed_place};
pub(crate) use ready::{Point, Ready};
pub(crate) use shape::{Part, as_stored, exprs as shape_exprs};

use std::collections::HashMap;

use crate::attr::Word;
use crate::errors::Errors;
use crate::expr::{Expr, Op};
use crate::model::{Field, Kind, Model};

/// How the writer comes by the value of one field.
pub(crate) struct Step<'m> {
    /// Index of the field that gets the value.
    pub(crate) target: usize,
    pub(crate) source: Source<'m>,
}

pub(crate) enum Source<'m> {
    /// `calc = e`.
    Calc(&'m Expr),
    /// A size, count or offset expression, solved for the target.
    Solved(Solved<'m>),
}

/// `target * mul + add - sub`, or `add - sub - target * mul` where it is `taken_off`, equal to what
/// `of` measures.
pub(crate) struct Solved<'m> {
    pub(crate) of: Of,
    pub(crate) taken_off: bool,
    pub(crate) mul: Option<&'m Expr>,
    pub(crate) add: Vec<&'m Expr>,
    pub(crate) sub: Vec<&'m Expr>,
}

impl<'m> Solved<'m> {
    /// What stands beside the number itself.
    pub(crate) fn terms(&self) -> impl Iterator<Item = &'m Expr> {
        self.mul.iter().chain(&self.add).chain(&self.sub).copied()
    }
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
        let calc = field.words.calc.as_ref().filter(|_| field.named_tag().is_none());
        if let Some(calc) = calc {
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
    for statement in &waiting {
        report_unsolved(errors, model, statement, &known);
    }
    report_underived(errors, model, &known);
    entries::check(errors, model);
    entry_sets::check(errors, model);
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

fn statements<'m>(model: &'m Model<'_>) -> Vec<Statement<'m>> {
    let (mut list, mut places) = (Vec::new(), Vec::new());
    let written = model.fields().iter().enumerate().filter(|(_, field)| !field.is_view());
    for (index, field) in written {
        let words = &field.words;
        let mut push = |of, word, expr: &'m Option<Word<Expr>>| {
            if let Some(expr) = expr {
                list.push(Statement { of, word, expr: &expr.value });
            }
        };
        push(Of::Count(index), "count", &words.count);
        push(Of::Len(index), "len", &words.len);
        push(Of::PadTo(index), "pad_to", &words.pad_to);
        if let Some(at) = &words.at {
            places.push(Statement { of: Of::Offset(index), word: "at", expr: &at.value });
        }
    }
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
        .filter_map(|name| model.field(name))
        .filter(|(index, field)| !known.contains(index) && is_derivable(field))
        .collect()
}

fn is_derivable(field: &Field<'_>) -> bool {
    !field.is_optional() && field.kind.scalar().is_some_and(crate::model::Scalar::is_int)
}

fn solve<'m>(
    model: &'m Model<'_>,
    statement: &Statement<'m>,
    known: &[usize],
) -> Option<(usize, Solved<'m>)> {
    let unknown = unknowns(model, statement.expr, known);
    let [(target, field)] = unknown.as_slice() else { return None };
    let holds = |expr: &Expr| expr.names().iter().any(|name| **name == field.name);
    let is = |expr: &Expr| matches!(expr, Expr::Name(name) if *name == field.name);
    Some((*target, linear(statement.expr, statement.of, &holds, &is)?))
}

/// Solves a sum for the one number that `is` knows and that exactly one of its terms `holds`.
fn linear<'m>(
    expr: &'m Expr,
    of: Of,
    holds: &dyn Fn(&Expr) -> bool,
    is: &dyn Fn(&Expr) -> bool,
) -> Option<Solved<'m>> {
    let mut terms = Vec::new();
    flatten(expr, true, &mut terms);
    let mut solved = Solved { of, taken_off: false, mul: None, add: Vec::new(), sub: Vec::new() };
    let mut found = false;
    for (positive, term) in terms {
        if !holds(term) {
            if positive {
                solved.add.push(term);
            } else {
                solved.sub.push(term);
            }
            continue;
        }
        let factor = factor_of(term, is)?;
        if found {
            return None;
        }
        found = true;
        (solved.taken_off, solved.mul) = (!positive, factor);
    }
    found.then_some(solved)
}

/// The terms of a sum, each with its sign.
fn flatten<'e>(expr: &'e Expr, positive: bool, terms: &mut Vec<(bool, &'e Expr)>) {
    match expr {
        Expr::Binary(left, Op::Add, right) => {
            flatten(left, positive, terms);
            flatten(right, positive, terms);
        }
        Expr::Binary(left, Op::Sub, right) => {
            flatten(left, positive, terms);
            flatten(right, !positive, terms);
        }
        other => terms.push((positive, other)),
    }
}

/// The factor of a number in `n`, `n * k` or `k * n`; `None` for any other shape.
#[expect(clippy::option_option, reason = "outer: is it linear; inner: is there a factor")]
fn factor_of<'e>(term: &'e Expr, is: &dyn Fn(&Expr) -> bool) -> Option<Option<&'e Expr>> {
    let is_constant = |expr: &Expr| matches!(expr, Expr::Int(..) | Expr::Path(_));
    match term {
        _ if is(term) => Some(None),
        Expr::Binary(left, Op::Mul, right) if is(left) && is_constant(right) => Some(Some(right)),
        Expr::Binary(left, Op::Mul, right) if is_constant(left) && is(right) => Some(Some(left)),
        _ => None,
    }
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
        if is_auto {
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
        Source::Solved(solved) => solved.terms().collect(),
    };
    let names = exprs.into_iter().flat_map(Expr::names);
    names.filter_map(|name| model.field(name)).map(|(index, _)| index).collect()
}

/// Whether a number is computed from what is measured, and so agrees with it.
pub(crate) fn computes(steps: &[Step<'_>], of: Of) -> bool {
    steps.iter().any(|step| matches!(&step.source, Source::Solved(solved) if solved.of == of))
}

/// The fields whose length or count a field tells: the one it is solved for, and others that may be absent
/// and of which it tells with nothing but constants.
pub(crate) fn users<'m>(model: &'m Model<'m>, target: &Field<'_>, of: Of) -> Vec<&'m Field<'m>> {
    let (Of::Len(own) | Of::Count(own)) = of else { return Vec::new() };
    let users = model.fields().iter().enumerate().filter(|(index, field)| {
        let tells =
            || field.is_optional() && !field.is_view() && told(*index, field, target).is_some();
        *index == own || tells()
    });
    users.map(|(_, field)| field).collect()
}

/// What a number tells of a field, where nothing but constants stands beside it.
pub(crate) fn told<'m>(
    index: usize,
    field: &'m Field<'_>,
    target: &Field<'_>,
) -> Option<Solved<'m>> {
    let words = [(&field.words.count, Of::Count(index)), (&field.words.len, Of::Len(index))];
    let holds = |expr: &Expr| expr.names().iter().any(|name| **name == target.name);
    let is = |expr: &Expr| matches!(expr, Expr::Name(name) if *name == target.name);
    let told = |(word, of): (&'m Option<Word<Expr>>, Of)| {
        let expr = &word.as_ref()?.value;
        let only = expr.names().iter().all(|name| **name == target.name);
        linear(expr, of, &holds, &is).filter(|_| only && expr.measures().is_empty())
    };
    words.into_iter().find_map(told)
}

/// The located fields that lie at the same stored offset, the field itself among them.
pub(crate) fn sharers<'m>(model: &'m Model<'m>, field: &Field<'_>) -> Vec<(usize, &'m Field<'m>)> {
    let shares = |other: &Field<'_>| match (&field.words.at, &other.words.at) {
        _ if field.name == other.name => true,
        _ if other.is_view() => false,
        (Some(a), Some(b)) => {
            matches!((&a.value, &b.value), (Expr::Name(a), Expr::Name(b)) if a == b)
        }
        _ => false,
    };
    model.fields().iter().enumerate().filter(|(_, other)| shares(other)).collect()
}
