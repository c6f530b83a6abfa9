//! Sums with one number in them, solved for that.

use super::Of;
use super::split::Bits;
use crate::expr::{Expr, Op};

/// `target * mul + add - sub`, or `add - sub - target * mul` where it is `taken_off`, equal to what
/// `of` measures.
pub(crate) struct Solved<'m> {
    pub(crate) of: Of,
    pub(crate) taken_off: bool,
    pub(crate) mul: Option<&'m Expr>,
    pub(crate) add: Vec<&'m Expr>,
    pub(crate) sub: Vec<&'m Expr>,
    /// What stands for `target` where that is a sum itself, as in `(it.cluster - 2) * size`.
    pub(crate) inner: Option<Box<Self>>,
    /// Whether the sum is of what the number is without its sign, which it keeps: `abs(count)`.
    pub(crate) keeps_sign: bool,
    /// Conditions of which each is as it says where the sum counts: that of a branch. Elsewhere the number
    /// stays as it is.
    pub(crate) when: Vec<(&'m Expr, bool)>,
    /// Which bits of the number the field holds, where others hold the rest.
    pub(crate) bits: Option<Bits<'m>>,
}

impl<'m> Solved<'m> {
    /// What stands beside the number itself, and decides whether the sum counts.
    pub(crate) fn terms(&self) -> Vec<&'m Expr> {
        let own = self.mul.iter().chain(&self.add).chain(&self.sub).copied();
        let own = own.chain(self.when.iter().map(|(condition, _)| *condition));
        own.chain(self.inner.iter().flat_map(|inner| inner.terms())).collect()
    }

    /// Whether a factor is no constant, so that it may be 0.
    pub(crate) fn counts_in_units(&self) -> bool {
        let inner = self.inner.as_ref().is_some_and(|inner| inner.counts_in_units());
        inner || self.mul.is_some_and(|mul| !is_constant(mul))
    }

    /// Whether the factor is no constant, or what it stands beside is a sum itself.
    pub(crate) fn is_scaled(&self) -> bool {
        self.inner.is_some() || self.mul.is_some_and(|mul| !is_constant(mul))
    }
}

/// Solves a sum for the one number that `is` knows and that exactly one of its terms `holds`.
pub(super) fn linear<'m>(
    expr: &'m Expr,
    of: Of,
    holds: &dyn Fn(&Expr) -> bool,
    is: &dyn Fn(&Expr) -> bool,
) -> Option<Solved<'m>> {
    scaled(expr, of, holds, is).filter(|solved| !solved.is_scaled())
}

/// The same, where the number may have any factor, and be in a sum that has one.
pub(super) fn scaled<'m>(
    expr: &'m Expr,
    of: Of,
    holds: &dyn Fn(&Expr) -> bool,
    is: &dyn Fn(&Expr) -> bool,
) -> Option<Solved<'m>> {
    let is = &|expr: &Expr| is(expr.magnitude_of().unwrap_or(expr));
    let mut terms = Vec::new();
    flatten_but(expr, true, is, &mut terms);
    let (holding, others): (Vec<_>, Vec<_>) = terms.into_iter().partition(|(_, term)| holds(term));
    let [(positive, term)] = holding.as_slice() else { return None };
    let (number, mul) = match term {
        _ if is(term) => (*term, None),
        Expr::Binary(left, Op::Mul, right) if !holds(right) => (&**left, Some(&**right)),
        Expr::Binary(left, Op::Mul, right) if !holds(left) => (&**right, Some(&**left)),
        _ => return None,
    };
    let inner = if is(number) { None } else { Some(Box::new(scaled(number, of, holds, is)?)) };
    let keeps_sign = match &inner {
        Some(inner) => inner.keeps_sign,
        None => number.magnitude_of().is_some(),
    };
    let of_sign = |wanted: bool| {
        let terms = others.iter().filter(move |(positive, _)| *positive == wanted);
        terms.map(|(_, term)| *term).collect()
    };
    let (add, sub) = (of_sign(true), of_sign(false));
    // How far below 0 a place may lie follows from the type of its number.
    if keeps_sign && matches!(of, Of::Offset(_)) {
        return None;
    }
    Some(Solved {
        of,
        taken_off: !positive,
        mul,
        add,
        sub,
        inner,
        keeps_sign,
        when: Vec::new(),
        bits: None,
    })
}

/// The terms of a sum, each with its sign.
pub(crate) fn flatten<'e>(expr: &'e Expr, positive: bool, terms: &mut Vec<(bool, &'e Expr)>) {
    flatten_but(expr, positive, &|_| false, terms);
}

/// The same, where the number itself may be a sum.
fn flatten_but<'e>(
    expr: &'e Expr,
    positive: bool,
    is: &dyn Fn(&Expr) -> bool,
    terms: &mut Vec<(bool, &'e Expr)>,
) {
    match expr {
        number if is(number) => terms.push((positive, number)),
        Expr::Binary(left, Op::Add, right) => {
            flatten_but(left, positive, is, terms);
            flatten_but(right, positive, is, terms);
        }
        Expr::Binary(left, Op::Sub, right) => {
            flatten_but(left, positive, is, terms);
            flatten_but(right, !positive, is, terms);
        }
        other => terms.push((positive, other)),
    }
}

fn is_constant(expr: &Expr) -> bool {
    matches!(expr, Expr::Int(..) | Expr::Path(_))
}
