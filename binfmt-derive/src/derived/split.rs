//! Numbers of which several fields hold some bits each: `at = high << 16 | low`.

use super::linear::{Solved, scaled};
use super::{Of, Source, Statement, Step, unknowns};
use crate::expr::{Expr, Op};
use crate::model::{Model, Numeric};

/// The bits of a number that one of several fields holds.
#[derive(Clone, Copy)]
pub(crate) struct Bits<'m> {
    /// The number.
    pub(crate) whole: &'m Expr,
    /// How many stand below them.
    pub(crate) shift: u32,
    /// How many they are; the field with the highest ones holds all that are left.
    pub(crate) count: Option<u32>,
}

/// A number that several fields hold, in an expression.
pub(super) struct Split<'e> {
    whole: &'e Expr,
    /// The fields, those of the lowest bits first.
    pub(super) parts: Vec<(&'e Expr, Bits<'e>)>,
}

impl<'e> Split<'e> {
    /// The first one in an expression all parts of which `may_hold` so many bits, or all above the others.
    pub(super) fn find(
        expr: &'e Expr,
        may_hold: &dyn Fn(&Expr, Option<u32>) -> bool,
    ) -> Option<Self> {
        let mut found = None;
        expr.walk(&mut |whole| {
            if found.is_none()
                && let Some(parts) = parts(whole)
                && parts.iter().all(|(part, bits)| may_hold(part, bits.count))
            {
                found = Some(Self { whole, parts });
            }
        });
        found
    }

    /// The expression, solved for one of its parts.
    pub(super) fn solve(&self, expr: &'e Expr, of: Of, bits: Bits<'e>) -> Option<Solved<'e>> {
        let is_whole = |part: &Expr| std::ptr::eq(part, self.whole);
        let holds = |expr: &Expr| {
            let mut found = false;
            expr.walk(&mut |part| found |= is_whole(part));
            found
        };
        let solved = scaled(expr, of, &holds, &is_whole)?;
        Some(Solved { bits: Some(bits), ..solved })
    }
}

/// What holds the bits of a number, the lowest first.
fn parts(whole: &Expr) -> Option<Vec<(&Expr, Bits<'_>)>> {
    let mut terms = Vec::new();
    joined(whole, &mut terms);
    let mut parts = terms.into_iter().map(shifted).collect::<Option<Vec<_>>>()?;
    parts.sort_by_key(|(_, shift)| *shift);
    let all = parts.len() > 1 && parts.first()?.1 == 0;
    let apart = parts.windows(2).all(|pair| matches!(pair, [(_, low), (_, high)] if low < high));
    let ends = parts.iter().skip(1).map(|(_, shift)| Some(*shift)).chain([None]);
    let bits = parts.iter().zip(ends).map(|((part, shift), end)| {
        (*part, Bits { whole, shift: *shift, count: end.map(|end| end.saturating_sub(*shift)) })
    });
    (all && apart).then(|| bits.collect())
}

/// The terms of `a << 8 | b`, or of the same as a sum.
fn joined<'e>(expr: &'e Expr, terms: &mut Vec<&'e Expr>) {
    match expr {
        Expr::Binary(left, Op::BitOr | Op::Add, right) => {
            joined(left, terms);
            joined(right, terms);
        }
        other => terms.push(other),
    }
}

/// What is shifted, and by how many bits.
fn shifted(term: &Expr) -> Option<(&Expr, u32)> {
    match term {
        Expr::Binary(part, Op::Shl, by) => match **by {
            Expr::Int(by @ 0..64, _) => Some((part, u32::try_from(by).ok()?)),
            _ => None,
        },
        Expr::Binary(one, Op::Mul, other) => match (&**one, &**other) {
            (part, Expr::Int(factor, _)) | (Expr::Int(factor, _), part) => {
                factor.is_power_of_two().then(|| (part, factor.trailing_zeros()))
            }
            _ => None,
        },
        part => Some((part, 0)),
    }
}

/// What all fields are that hold a number together, of an expression that is left.
pub(super) fn solved<'m>(
    model: &'m Model<'_>,
    statement: &Statement<'m>,
    known: &[usize],
) -> Option<Vec<Step<'m>>> {
    // A stored region is the least that is written, and no part of a number is one.
    if matches!(statement.of, Of::PadTo(_)) {
        return None;
    }
    let unknown = unknowns(model, statement.expr, known);
    let target = |part: &Expr| match part {
        Expr::Name(name) => unknown.iter().find(|(_, field)| field.name == *name),
        _ => None,
    };
    let may_hold = |part: &Expr, count: Option<u32>| {
        let scalar = target(part).filter(|(_, field)| !field.is_optional());
        let scalar = scalar.and_then(|(_, field)| field.kind.scalar());
        // Bits that another field holds, too, could be told in several ways.
        let fits = |count| scalar.is_some_and(|scalar| scalar.has_bits_within(count));
        let unsigned = scalar.is_some_and(|scalar| scalar.numeric == Numeric::Unsigned);
        unsigned && count.is_none_or(fits)
    };
    let split = Split::find(statement.expr, &may_hold)?;
    if split.parts.len() != unknown.len() {
        return None;
    }
    let step = |(part, bits): &(&Expr, Bits<'m>)| {
        let (target, _) = target(part)?;
        let solved = split.solve(statement.expr, statement.of, *bits);
        // With a factor of 0 they would stay, and one of them may not be in the struct.
        let solved = solved.filter(|solved| !solved.counts_in_units())?;
        Some(Step { target: *target, source: Source::Solved(solved) })
    };
    split.parts.iter().map(step).collect()
}
