//! Sizes and places of several forms, each told by a number of its own: `at = if wide { at64 } else { at32 }`.

use super::linear::Solved;
use super::units::in_units;
use super::{Of, Source, Statement, Step, is_plain, solved_for, unknowns, uses_set};
use crate::expr::Expr;
use crate::model::{Field, Kind, Model};

/// What every branch of an expression that is left tells of its own number: all of one, or none.
pub(super) fn solved<'m>(
    model: &'m Model<'_>,
    statement: &Statement<'m>,
    known: &[usize],
) -> Option<Vec<Step<'m>>> {
    let field = statement.of.field().and_then(|index| model.fields().get(index));
    let may_be_absent = field.is_some_and(Field::is_optional);
    // A place that says that nothing is there tells nothing where an `if` does.
    let two = |field: &Field<'_>| field.words.null.is_some() && field.words.condition.is_some();
    if matches!(statement.of, Of::Offset(_)) && field.is_some_and(two) {
        return None;
    }
    let mut found = Vec::new();
    branches(statement.expr, &[], &mut found);
    let mut steps: Vec<Step<'m>> = Vec::new();
    let mut conditions = Vec::new();
    for (when, branch) in found {
        let (target, mut solved) = told_by(model, statement, branch, known)?;
        let field = model.fields().get(target)?;
        // What is not in the struct could not stay as it is where its branch is not taken, or nothing is there.
        // Nor could a padding, which is the least there is.
        let may_be_auto = !may_be_absent && !matches!(statement.of, Of::PadTo(_));
        let stays =
            !matches!(field.kind, Kind::Auto(..)) || may_be_auto && is_there_for(field, &when);
        let in_sum = solved.inner.is_none() || is_plain(field);
        if !stays || !in_sum || steps.iter().any(|step| step.target == target) {
            return None;
        }
        conditions.extend(when.iter().map(|(condition, _)| *condition));
        if solved.counts_in_units() {
            conditions.extend(solved.terms());
        }
        solved.when = when;
        steps.push(Step { target, source: Source::Solved(solved) });
    }
    // Which form it is, and in which units, no number says that is computed.
    let is_told = |condition: &&Expr| {
        let mut named = condition.names().into_iter().filter_map(|name| Some(model.field(name)?.0));
        condition.measures().is_empty()
            && uses_set(model, condition).next().is_none()
            && named.all(|index| {
                !known.contains(&index) && steps.iter().all(|step| step.target != index)
            })
    };
    (steps.len() > 1 && conditions.iter().all(is_told)).then_some(steps)
}

/// The number that a branch tells: the only one in it, or the one that counts in units.
fn told_by<'m>(
    model: &'m Model<'_>,
    statement: &Statement<'m>,
    branch: &'m Expr,
    known: &[usize],
) -> Option<(usize, Solved<'m>)> {
    let branch = Statement { expr: branch, ..*statement };
    if let [(target, field)] = unknowns(model, branch.expr, known).as_slice() {
        let solved = solved_for(&branch, field)?;
        if !solved.counts_in_units() {
            return Some((*target, solved));
        }
    }
    in_units(model, &branch)
}

/// Whether a field is there where a branch is taken, and nowhere else.
fn is_there_for(field: &Field<'_>, when: &[(&Expr, bool)]) -> bool {
    let Some(condition) = &field.words.condition else { return false };
    when.iter().all(|(branch, holds)| condition.value.implies(branch, *holds))
}

/// The branches of an expression, each with the conditions that lead to it.
pub(super) fn branches<'m>(
    expr: &'m Expr,
    when: &[(&'m Expr, bool)],
    found: &mut Vec<(Vec<(&'m Expr, bool)>, &'m Expr)>,
) {
    let Expr::If(condition, yes, no) = expr else {
        found.push((when.to_vec(), expr));
        return;
    };
    for (branch, holds) in [(yes, true), (no, false)] {
        let when: Vec<_> = when.iter().copied().chain([(&**condition, holds)]).collect();
        branches(branch, &when, found);
    }
}
