//! Sums that are never below 0, and may be on the way.

use super::{Expr, Op};

impl Expr {
    /// Whether a step may be below 0 although the result is not, as in `n - 5 + 5`: readers refuse such a number, which
    /// solves the sum all the same.
    pub(crate) fn may_dip(&self) -> bool {
        match self {
            Self::Binary(left, Op::Add, right) => left.takes_off() || right.takes_off(),
            Self::Binary(left, Op::Sub, right) => left.may_dip() || right.takes_off(),
            Self::Binary(left, _, right) => left.may_dip() || right.may_dip(),
            Self::If(_, yes, no) => yes.may_dip() || no.may_dip(),
            _ => false,
        }
    }

    /// Whether something is taken off in it.
    fn takes_off(&self) -> bool {
        match self {
            Self::Binary(_, Op::Sub, _) => true,
            Self::Binary(left, _, right) => left.takes_off() || right.takes_off(),
            Self::If(_, yes, no) => yes.takes_off() || no.takes_off(),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Expr;

    const CASES: &[(&str, bool)] = &[
        ("n", false),
        ("n - 5", false),
        ("n - 5 - 3", false),
        ("n * 2 + 3 - 5", false),
        ("10 - n - 8", false),
        ("(n - 5) * 2", false),
        ("(n - 5) * 2 - 4", false),
        ("if w { n - 1 } else { n }", false),
        ("n - 5 + 5", true),
        ("5 + (n - 5)", true),
        ("10 - (n - 8)", true),
        ("10 - n - 8 + 3", true),
        ("(n - 5) * 2 + 10", true),
        ("if w { n - 1 + 2 } else { n }", true),
        ("3 + if w { n - 1 } else { n }", true),
    ];

    #[test]
    fn a_sum_that_adds_to_what_was_taken_off_may_dip() {
        for (sum, may_dip) in CASES {
            let expr: Expr = syn::parse_str(sum).unwrap_or_else(|error| panic!("{sum}: {error}"));
            assert_eq!(expr.may_dip(), *may_dip, "{sum}");
        }
    }
}
