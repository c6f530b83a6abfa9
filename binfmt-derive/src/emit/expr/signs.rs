//! Numbers with a sign and without one, in one expression: what has one in it is computed with one.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::Ident;

use crate::emit::Emitter;
use crate::expr::{Expr, Op};
use crate::model::Numeric;

/// What is seen of the sign of a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::emit) enum Sign {
    /// A literal, which has the type of what it meets.
    Open,
    Unsigned,
    Signed,
    /// The compiler alone sees it: a part of a value, what a function gives.
    Hidden,
}

impl Sign {
    /// That of a number that is computed of two.
    fn with(self, other: Self) -> Self {
        match (self, other) {
            (Self::Hidden, _) | (_, Self::Hidden) => Self::Hidden,
            (Self::Signed, _) | (_, Self::Signed) => Self::Signed,
            (Self::Unsigned, _) | (_, Self::Unsigned) => Self::Unsigned,
            (Self::Open, Self::Open) => Self::Open,
        }
    }

    /// Whether the types of two numbers differ, as far as is seen.
    pub(super) fn differs(self, other: Self) -> bool {
        matches!((self, other), (Self::Signed, Self::Unsigned) | (Self::Unsigned, Self::Signed))
    }

    /// Whether it may be below 0, as far as is seen.
    pub(in crate::emit) fn may_be_negative(self) -> bool {
        matches!(self, Self::Signed | Self::Hidden)
    }

    /// Whether the compiler alone sees whether the types of two numbers differ.
    pub(super) fn is_unsure(self, other: Self) -> bool {
        let open = self == Self::Open || other == Self::Open;
        !open && self.with(other) == Self::Hidden
    }
}

impl Emitter<'_> {
    /// What is seen of the sign of a number.
    pub(in crate::emit) fn sign(&self, expr: &Expr) -> Sign {
        match expr {
            Expr::Int(..) => Sign::Open,
            Expr::Negative(..) => Sign::Signed,
            Expr::Measure(..) => Sign::Unsigned,
            Expr::Name(name) => match self.numeric(name).or_else(|| self.numeric_inside(name)) {
                Some(Numeric::Signed) => Sign::Signed,
                Some(_) => Sign::Unsigned,
                None => Sign::Hidden,
            },
            Expr::Binary(left, _, right) | Expr::If(_, left, right) => {
                self.sign(left).with(self.sign(right))
            }
            Expr::Builtin(name, _) if name == "align_up" || name == "abs" => Sign::Unsigned,
            Expr::Builtin(_, args) => {
                args.iter().fold(Sign::Open, |sign, arg| sign.with(self.sign(arg)))
            }
            _ => Sign::Hidden,
        }
    }

    /// Whether two numbers are compared by what they are, for their types differ, or are not seen.
    pub(super) fn differ(&self, left: &Expr, right: &Expr) -> bool {
        let (left, right) = (self.sign(left), self.sign(right));
        left.differs(right) || left.is_unsure(right)
    }

    /// Whether numbers without a sign make one that may be below 0.
    pub(super) fn is_difference(&self, expr: &Expr) -> bool {
        let mut subtracts = false;
        expr.walk(&mut |part| subtracts |= matches!(part, Expr::Binary(_, Op::Sub, _)));
        subtracts && self.sign(expr) == Sign::Unsigned
    }

    /// A sum, product or the like, inside a function that returns `Option`.
    pub(super) fn step(&self, left: &Expr, op: Op, right: &Expr, alone: bool) -> TokenStream {
        let alone = alone && !left.has_type() && !right.has_type();
        self.together((left, right), alone, &|a, b| self.operated(op, a, b))
    }

    /// The smaller or the larger of two numbers.
    pub(super) fn smaller_or_larger(
        &self,
        name: &Ident,
        numbers: (&Expr, &Expr),
        alone: bool,
    ) -> TokenStream {
        self.together(numbers, alone, &|a, b| quote!(::core::cmp::Ord::#name(#a, #b)))
    }

    /// What an operator makes of two numbers of one type.
    fn operated(&self, op: Op, left: &TokenStream, right: &TokenStream) -> TokenStream {
        let (rt, method) = (&self.rt, format_ident!("{}", op.method()));
        let or_none = (!matches!(op, Op::BitAnd | Op::BitOr)).then(|| quote!(?));
        quote!(#rt::ops::Wide::#method(#left, #right) #or_none)
    }

    /// What is made of two numbers of one type, which is `i64` where one of them is signed and the other is not.
    fn together(
        &self,
        (left, right): (&Expr, &Expr),
        alone: bool,
        made: &dyn Fn(&TokenStream, &TokenStream) -> TokenStream,
    ) -> TokenStream {
        let (of_left, of_right) = (self.sign(left), self.sign(right));
        if of_left.differs(of_right) {
            return made(&self.with_sign(left), &self.with_sign(right));
        }
        let (a, b) = (self.number(left, alone), self.number(right, alone));
        if !of_left.is_unsure(of_right) {
            return made(&a, &b);
        }
        let (span, rt) = self.beside(right);
        let both = quote_spanned!(span=> #rt::ops::of_one_type(#a, #b)?);
        let made = made(&quote!(__a), &quote!(__b));
        quote!({ let (__a, __b) = #both; #made })
    }

    /// A number as one with a sign: what a sum is made of has one, so that no part of it is too small.
    pub(super) fn with_sign(&self, expr: &Expr) -> TokenStream {
        let rt = &self.rt;
        match (self.sign(expr), expr) {
            (Sign::Unsigned, Expr::Binary(left, op, right)) => {
                self.operated(*op, &self.with_sign(left), &self.with_sign(right))
            }
            (Sign::Unsigned, _) => {
                let number = self.number(expr, true);
                quote!(#rt::ops::to_signed(#number)?)
            }
            _ => self.number(expr, false),
        }
    }
}
