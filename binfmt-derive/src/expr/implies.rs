//! Conditions that cannot hold without another one, as far as their forms tell.

use super::{Expr, Op};

impl Expr {
    /// Whether this condition holds only where another one `holds`, or does not.
    pub(crate) fn implies(&self, other: &Self, holds: bool) -> bool {
        match (self, other) {
            (Self::Binary(a, Op::And, b), _) => a.implies(other, holds) || b.implies(other, holds),
            (_, Self::Not(other)) => self.implies(other, !holds),
            _ if holds => self.is_equal(other),
            (Self::Not(own), _) => own.is_equal(other),
            (Self::Binary(a, own, b), Self::Binary(c, op, d)) if a.is_equal(c) => {
                let differs = matches!((&**b, &**d), (Self::Int(b, _), Self::Int(d, _)) if b != d);
                let opposite = own.opposite() == Some(*op) && b.is_equal(d);
                opposite || (*own, *op) == (Op::Eq, Op::Eq) && differs
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Expr;

    /// Two conditions, and whether the first holds only where the second does, and only where it does not.
    const CASES: &[(&str, &str, bool, bool)] = &[
        ("v == 1", "v == 1", true, false),
        ("v == 1", "v == 2", false, true),
        ("v == 1", "w == 2", false, false),
        ("v == 1", "v == n", false, false),
        ("v == n", "v != n", false, true),
        ("v != 1", "v == 1", false, true),
        ("v < 2", "v >= 2", false, true),
        ("v >= 2", "v < 2", false, true),
        ("v > 2", "v <= 2", false, true),
        ("v >= 3", "v < 2", false, false),
        ("v < 2", "v < 3", false, false),
        ("!(v > 2)", "v > 2", false, true),
        ("v > 2", "!(v > 2)", false, true),
        ("!(v > 2)", "!(v > 2)", true, false),
        ("v == 1 && w > 0", "v == 1", true, false),
        ("w > 0 && v == 1", "v != 1", false, true),
        ("v == 1 || w > 0", "v == 1", false, false),
        ("flags & 4 != 0", "flags & 4 == 0", false, true),
        ("wide", "!wide", false, true),
    ];

    #[test]
    fn forms_tell_where_a_condition_holds() {
        for (one, other, with, without) in CASES {
            let [own, branch] = [one, other].map(|text| {
                syn::parse_str::<Expr>(text).unwrap_or_else(|error| panic!("{error}: {text}"))
            });
            let found = (own.implies(&branch, true), own.implies(&branch, false));
            assert_eq!(found, (*with, *without), "{one}, {other}");
        }
    }
}
