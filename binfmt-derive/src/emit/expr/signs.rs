//! Numbers with a sign and without one, in one expression: what has one in it is computed with one.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::Ident;

use crate::emit::Emitter;
use crate::expr::{Expr, OR, Op};
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
            Expr::Binary(left, ..) | Expr::If(_, left, ..) => {
                let right = match expr {
                    Expr::Binary(.., right) | Expr::If(.., right) => right,
                    _ => left,
                };
                self.sign(left).with(self.sign(right))
            }
            Expr::Builtin(name, _) if name == "align_up" || name == "abs" => Sign::Unsigned,
            Expr::Builtin(name, args) if name != OR => {
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

    /// A sum, product or the like, inside a function that returns `Option`.
    pub(super) fn step(&self, left: &Expr, op: Op, right: &Expr, alone: bool) -> TokenStream {
        let rt = &self.rt;
        let alone = alone && !left.has_type() && !right.has_type();
        let method = format_ident!("{}", op.method());
        let sure = !matches!(op, Op::BitAnd | Op::BitOr);
        self.together(left, right, alone, &quote!(#rt::ops::Wide::#method), sure)
    }

    /// The smaller or the larger of two numbers.
    pub(super) fn chosen_of(
        &self,
        name: &Ident,
        (a, b): (&Expr, &Expr),
        alone: bool,
    ) -> TokenStream {
        self.together(a, b, alone, &quote!(::core::cmp::Ord::#name), false)
    }

    /// What a function makes of two numbers of one type, which is `i64` where one of them is signed and
    /// the other is not; `may_fail` says that it gives an `Option`.
    fn together(
        &self,
        left: &Expr,
        right: &Expr,
        alone: bool,
        function: &TokenStream,
        may_fail: bool,
    ) -> TokenStream {
        let or_none = may_fail.then(|| quote!(?));
        let (of_left, of_right) = (self.sign(left), self.sign(right));
        if of_left.is_unsure(of_right) {
            let (a, b) = (self.number(left, alone), self.number(right, alone));
            let (span, rt) = self.beside(right);
            let both = quote_spanned!(span=> #rt::ops::of_one_type(#a, #b)?);
            return quote!({ let (__a, __b) = #both; #function(__a, __b) #or_none });
        }
        let (a, b) = if of_left.differs(of_right) {
            (self.with_sign(left), self.with_sign(right))
        } else {
            (self.number(left, alone), self.number(right, alone))
        };
        quote!(#function(#a, #b) #or_none)
    }

    /// A number as one with a sign: what a sum is made of has one, so that no part of it is too small.
    pub(super) fn with_sign(&self, expr: &Expr) -> TokenStream {
        let rt = &self.rt;
        match (self.sign(expr), expr) {
            (Sign::Unsigned, Expr::Binary(left, op, right)) => {
                let (left, right) = (self.with_sign(left), self.with_sign(right));
                let method = format_ident!("{}", op.method());
                let or_none = (!matches!(op, Op::BitAnd | Op::BitOr)).then(|| quote!(?));
                quote!(#rt::ops::Wide::#method(#left, #right) #or_none)
            }
            (Sign::Unsigned, _) => {
                let number = self.number(expr, true);
                quote!(#rt::ops::to_signed(#number)?)
            }
            _ => self.number(expr, false),
        }
    }
}
