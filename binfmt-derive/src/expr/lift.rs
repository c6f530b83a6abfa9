//! Sums in the form in which they are solved.
//!
//! A branch inside a sum is a branch between two sums: `4 + if wide { a } else { b }` is
//! `if wide { 4 + a } else { 4 + b }`, of which each can be solved for its own number. A shift by a constant is a
//! product: `n << 2` is `n * 4`.

use super::{Expr, Op};

impl Expr {
    /// Writes shifts by constants in a sum as the products that they are: both cannot be computed where bits are
    /// lost.
    pub(crate) fn multiply_shifts(&mut self) {
        match self {
            Self::If(_, left, right) | Self::Binary(left, Op::Add | Op::Sub | Op::Mul, right) => {
                left.multiply_shifts();
                right.multiply_shifts();
            }
            Self::Binary(left, op @ Op::Shl, by) => {
                if let Self::Int(bits @ 0..63, _) = &mut **by {
                    (*op, *bits) = (Op::Mul, 1 << *bits);
                    left.multiply_shifts();
                }
            }
            _ => {}
        }
    }

    /// Writes it so, where one branch stands in a sum and each way names something.
    pub(crate) fn lift_branch(&mut self) {
        if let Self::If(_, yes, no) = self {
            yes.lift_branch();
            no.lift_branch();
            return;
        }
        let mut branches = Vec::new();
        self.find_branches(&mut branches);
        let [(condition, yes, no)] = branches.as_slice() else { return };
        // A choice of constants is a unit of the numbers around it.
        if yes.names().is_empty() || no.names().is_empty() {
            return;
        }
        let (mut taken, mut other) = (self.with_branch(true), self.with_branch(false));
        taken.lift_branch();
        other.lift_branch();
        *self = Self::If(Box::new((*condition).clone()), Box::new(taken), Box::new(other));
    }

    /// The branches that stand in the sum and its products.
    fn find_branches<'e>(&'e self, found: &mut Vec<(&'e Self, &'e Self, &'e Self)>) {
        match self {
            Self::If(condition, yes, no) => found.push((condition, yes, no)),
            Self::Binary(left, Op::Add | Op::Sub | Op::Mul, right) => {
                left.find_branches(found);
                right.find_branches(found);
            }
            _ => {}
        }
    }

    /// The sum with one way of its branch in place of that.
    fn with_branch(&self, taken: bool) -> Self {
        match self {
            Self::If(_, yes, no) => (**if taken { yes } else { no }).clone(),
            Self::Binary(left, op @ (Op::Add | Op::Sub | Op::Mul), right) => Self::Binary(
                Box::new(left.with_branch(taken)),
                *op,
                Box::new(right.with_branch(taken)),
            ),
            other => other.clone(),
        }
    }
}
