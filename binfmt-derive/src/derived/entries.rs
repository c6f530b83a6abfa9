//! What the writer sets in the items of a table that a field with `for_each` names.

use syn::Ident;

use super::branches::branches;
use super::entry_sets::beside;
use super::linear::scaled;
use super::shape::exprs as shape_exprs;
use super::split::{Bits, Split};
use super::{Of, Solved};
use crate::errors::Errors;
use crate::expr::Expr;
use crate::model::{Model, Parallel, is_before, is_item};

/// One number of an item that the writer computes.
pub(crate) struct EntryStep<'m> {
    /// Index of the field with `for_each`.
    pub(crate) field: usize,
    /// The number, as the declaration names it: `it.offset`.
    pub(crate) target: &'m Expr,
    pub(crate) solved: Solved<'m>,
}

impl EntryStep<'_> {
    /// Whether it follows from another number of the item, too.
    pub(super) fn follows_another(&self) -> bool {
        let mut others = Vec::new();
        let terms = self.solved.terms();
        for term in &terms {
            numbers_of_it(term, &mut others);
        }
        !others.is_empty() || terms.iter().flat_map(|term| term.names()).any(is_before)
    }
}

/// Every number that is set, and what cannot be.
pub(super) fn check(errors: &mut Errors, model: &Model<'_>) {
    for field in model.fields() {
        let Some(parallel) = &field.parallel else { continue };
        let words = &parallel.element.words;
        let shapes = shape_exprs(&parallel.element).into_iter();
        if let Some(name) =
            shapes.flat_map(|(_, expr, _)| expr.names()).find(|name| is_before(name))
        {
            errors.add(
                name.span(),
                "how the value is written follows from this, and the item before is known when more has been written; say the size by numbers of the item",
            );
        }
        let Some(at) = words.at.as_ref().filter(|_| words.view.is_none()) else { continue };
        if steps(0, &at.value, Of::Offset(0), &[]).is_empty() {
            errors.add_range(
                at.value.ends(),
                "`at` is not of the form `it.field * k + c`, `(it.field - c) * k` or `it.high << 16 | it.low`, so the writer cannot set the offset; use one number of the item",
            );
        }
    }
}

/// Every number of an item that the words of the fields beside one table tell.
pub(crate) fn entry_steps_in<'m>(model: &'m Model<'_>, table: &Ident) -> Vec<EntryStep<'m>> {
    beside(model, table).flat_map(|(index, _, _)| entry_steps(model, index)).collect()
}

/// Every number of an item that the words of one field with `for_each` tell.
pub(crate) fn entry_steps<'m>(model: &'m Model<'_>, index: usize) -> Vec<EntryStep<'m>> {
    let field = model.fields().get(index).filter(|field| !field.is_view());
    let Some(parallel) = field.and_then(|field| field.parallel.as_ref()) else { return Vec::new() };
    let words = &parallel.element.words;
    let given = [
        (&words.at, Of::Offset(index)),
        (&words.len, Of::Len(index)),
        (&words.count, Of::Count(index)),
    ];
    let given = given.into_iter().filter_map(|(word, of)| Some((word.as_ref()?, of)));
    let others = told_otherwise(model, &parallel.table);
    given.flat_map(|(word, of)| steps(index, &word.value, of, &others)).collect()
}

/// The numbers of an item that places, checksums and `set` tell: of several numbers in a size, it is the other
/// one that this tells, as in `at = it.start, len = it.end - it.start`.
fn told_otherwise<'m>(model: &'m Model<'_>, table: &Ident) -> Vec<&'m Expr> {
    let mut told = Vec::new();
    for (_, field, parallel) in beside(model, table) {
        let words = &parallel.element.words;
        if let Some(at) = words.at.as_ref().filter(|_| !field.is_view()) {
            let mut found = Vec::new();
            branches(&at.value, &[], &mut found);
            for (_, branch) in found {
                numbers_of_it(branch, &mut told);
            }
        }
        told.extend(parallel.sum.iter().map(|sum| &sum.number));
        told.extend(parallel.element.item_setters().iter().map(|(number, _)| number));
    }
    told
}

/// Whether a size or a place is a number of the item itself, and nothing else sets that: then it is what
/// has been written, and need not be compared with it.
pub(crate) fn is_told_alone(model: &Model<'_>, parallel: &Parallel<'_>, expr: &Expr) -> bool {
    let steps = entry_steps_in(model, &parallel.table);
    let mut telling = steps.iter().filter(|step| overlap(step.target, expr));
    telling.next().is_some_and(|step| step.target.is_same(expr))
        && telling.next().is_none()
        && beside(model, &parallel.table).all(|(_, _, other)| {
            let sum = other.sum.as_ref().is_some_and(|sum| overlap(&sum.number, expr));
            let set = other.element.item_setters();
            !sum && !set.iter().any(|(number, _)| overlap(number, expr))
        })
}

/// Whether one of two numbers is, or is a part of, the other.
fn overlap(one: &Expr, other: &Expr) -> bool {
    let mut found = false;
    one.walk(&mut |part| found |= part.is_same(other));
    other.walk(&mut |part| found |= part.is_same(one));
    found
}

/// The numbers that an expression tells: one, or one in each branch.
fn steps<'e>(field: usize, expr: &'e Expr, of: Of, others: &[&Expr]) -> Vec<EntryStep<'e>> {
    if let Some(one) = step(field, expr, of, others) {
        return vec![one];
    }
    if let Some(several) = split(field, expr, of, others) {
        return several;
    }
    let mut found = Vec::new();
    branches(expr, &[], &mut found);
    if found.len() < 2 {
        return Vec::new();
    }
    let mut all: Vec<EntryStep<'e>> = Vec::new();
    let mut conditions = Vec::new();
    for (when, branch) in found {
        let Some(mut one) = step(field, branch, of, others) else { return Vec::new() };
        let is_told = all.iter().any(|other| overlap(other.target, one.target));
        // What limits the places of values is the same for all items.
        let by_item = when.iter().any(|(condition, _)| names_item(condition));
        let limited = matches!(of, Of::Offset(_)) && !one.target.is_same(branch);
        let wrong =
            if matches!(of, Of::Offset(_)) { limited && by_item } else { one.solved.is_scaled() };
        if is_told || wrong {
            return Vec::new();
        }
        conditions.extend(when.iter().map(|(condition, _)| *condition));
        one.solved.when = when;
        all.push(one);
    }
    // Which form it is, no number says that is computed.
    let computed = |part: &(&Ident, Vec<&syn::Member>)| {
        let mut told = all.iter().map(|step| step.target).chain(others.iter().copied());
        told.any(|number| number.overlaps((part.0, &part.1)))
    };
    let is_told = |condition: &&Expr| {
        condition.measures().is_empty() && !condition.parts().iter().any(computed)
    };
    if conditions.iter().all(is_told) { all } else { Vec::new() }
}

/// The numbers that hold one together.
fn split<'e>(field: usize, expr: &'e Expr, of: Of, others: &[&Expr]) -> Option<Vec<EntryStep<'e>>> {
    // What a place tells is no size besides.
    let is_told = |part: &Expr| others.iter().any(|other| overlap(other, part));
    let may_hold =
        |part: &Expr, _| part.is_of_it() && (matches!(of, Of::Offset(_)) || !is_told(part));
    let split = Split::find(expr, &may_hold)?;
    let mut numbers = Vec::new();
    numbers_of_it(expr, &mut numbers);
    let parts = split.parts.iter().map(|(part, _)| part);
    let is_twice =
        parts.clone().any(|part| parts.clone().filter(|one| overlap(one, part)).count() > 1);
    if is_twice || numbers.len() != split.parts.len() {
        return None;
    }
    let step = |(target, bits): &(&'e Expr, Bits<'e>)| {
        Some(EntryStep { field, target, solved: split.solve(expr, of, *bits)? })
    };
    split.parts.iter().map(step).collect()
}

fn step<'e>(field: usize, expr: &'e Expr, of: Of, others: &[&Expr]) -> Option<EntryStep<'e>> {
    let mut numbers = Vec::new();
    numbers_of_it(expr, &mut numbers);
    let is_one = |numbers: &[&Expr]| {
        numbers.windows(2).all(|pair| matches!(pair, [one, next] if one.is_same(next)))
    };
    if !is_one(&numbers) {
        numbers.retain(|number| !others.iter().any(|other| overlap(number, other)));
    }
    let target = *numbers.first().filter(|_| is_one(&numbers))?;
    let is = |expr: &Expr| expr.is_same(target);
    let holds = |expr: &Expr| {
        let mut inside = Vec::new();
        numbers_of_it(expr, &mut inside);
        inside.iter().any(|number| number.is_same(target))
    };
    let solved = scaled(expr, of, &holds, &is)?;
    Some(EntryStep { field, target, solved })
}

/// Whether an expression follows from an item, or from what holds its table.
fn names_item(expr: &Expr) -> bool {
    expr.parts().iter().any(|(name, _)| is_item(name))
}

/// `it`, `it.offset` and the like; what a function makes of an item is no number of it.
fn numbers_of_it<'e>(expr: &'e Expr, found: &mut Vec<&'e Expr>) {
    if expr.is_of_it() {
        found.push(expr);
        return;
    }
    match expr {
        Expr::Binary(left, _, right) => {
            numbers_of_it(left, found);
            numbers_of_it(right, found);
        }
        Expr::If(condition, yes, no) => {
            for part in [condition, yes, no] {
                numbers_of_it(part, found);
            }
        }
        Expr::Builtin(_, args) => args.iter().for_each(|arg| numbers_of_it(arg, found)),
        _ => {}
    }
}
