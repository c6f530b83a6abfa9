//! Numbers that count in units, which fields tell that nothing computes: `n * (1 << shift)`, `(n - 2) * size`.

use super::linear::Solved;
use super::{Of, Source, Statement, Step, is_plain, solved_for, unknowns, uses_set};
use crate::expr::Expr;
use crate::model::Model;

/// Solves expressions for plain numbers that count in units, of those that are left. What the units follow
/// from is told by the value alone, so that no number follows from itself.
pub(super) fn solve<'m>(
    model: &'m Model<'_>,
    waiting: &mut Vec<Statement<'m>>,
    steps: &mut Vec<Step<'m>>,
    known: &mut Vec<usize>,
) {
    let mut told: Vec<usize> = Vec::new();
    waiting.retain(|statement| {
        let Some((target, solved)) = in_units(model, statement) else { return true };
        let terms = solved.terms();
        let named = terms.iter().flat_map(|term| term.names());
        let named: Vec<usize> = named.filter_map(|name| Some(model.field(name)?.0)).collect();
        let is_told =
            |term: &&Expr| term.measures().is_empty() && uses_set(model, term).next().is_none();
        let free = !known.contains(&target) && !told.contains(&target);
        if !free || !terms.iter().all(is_told) || named.iter().any(|term| known.contains(term)) {
            return true;
        }
        told.extend(named);
        known.push(target);
        steps.push(Step { target, source: Source::Solved(solved) });
        false
    });
}

/// The number in an expression that counts in units: of several that it could be the one from which something is
/// taken off first, as in `(n - 2) * size`; else none is, unless the expression is a place. That is a number times a
/// unit, and units come first in files.
pub(super) fn in_units<'m>(
    model: &'m Model<'_>,
    statement: &Statement<'m>,
) -> Option<(usize, Solved<'m>)> {
    if matches!(statement.of, Of::PadTo(_) | Of::Total) {
        return None;
    }
    let numbers = unknowns(model, statement.expr, &[]);
    if !numbers.iter().all(|(_, field)| is_plain(field)) {
        return None;
    }
    let all =
        numbers.iter().filter_map(|(target, field)| Some((*target, solved_for(statement, field)?)));
    let mut all: Vec<(usize, Solved<'_>)> = all.collect();
    let scaled = all.iter().all(|(_, solved)| solved.is_scaled());
    let is_sum = |(_, solved): &(usize, Solved<'_>)| solved.inner.is_some();
    if all.iter().filter(|one| is_sum(one)).count() == 1 {
        all.retain(is_sum);
    }
    if !scaled || (all.len() > 1 && !matches!(statement.of, Of::Offset(_))) {
        return None;
    }
    all.sort_unstable_by_key(|(target, _)| *target);
    all.pop()
}
