//! What functions of the user are given.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::Path;

use super::passed::is_truth;
use crate::emit::Emitter;
use crate::expr::Expr;
use crate::model::Scalar;

impl Emitter<'_> {
    /// What a function of this path is given.
    pub(super) fn given_to(&self, function: &Path, args: &[Expr]) -> Vec<TokenStream> {
        match args {
            [number] if is_conversion(function) => vec![self.plainly(number)],
            _ => args.iter().map(|arg| self.given(arg)).collect(),
        }
    }

    /// What a conversion is given, which takes numbers of any type: the number as it is.
    fn plainly(&self, expr: &Expr) -> TokenStream {
        match expr {
            Expr::Field(..) => {
                let ((span, rt), value) = (self.beside(expr), self.value(expr));
                quote_spanned!(span=> (&#rt::pass::Part(&#value)).given())
            }
            _ => self.said(expr),
        }
    }

    /// What a function is given, inside a function that returns `Option`: numbers in the type that it
    /// takes, all else by reference, or as it is where that is what the function takes.
    pub(super) fn given(&self, expr: &Expr) -> TokenStream {
        match expr {
            Expr::Field(..) => {
                let ((span, rt), value) = (self.beside(expr), self.value(expr));
                quote_spanned!(span=> (&#rt::pass::Part(&#value)).passed()?)
            }
            Expr::Name(name) if self.is_scalar(name) => self.converted(expr),
            Expr::Measure(..) | Expr::Builtin(..) => self.converted(expr),
            Expr::Binary(_, op, _) if !op.is_comparison() && !op.is_logic() => self.converted(expr),
            Expr::If(..) if self.is_number(expr) => self.converted(expr),
            Expr::If(..) if is_truth(expr) => self.truth(expr),
            Expr::If(..) => self.handed(expr, &self.chosen(expr)),
            Expr::Call(..) | Expr::Method(..) | Expr::Path(_) => {
                self.handed(expr, &self.value(expr))
            }
            _ => self.value(expr),
        }
    }

    fn converted(&self, expr: &Expr) -> TokenStream {
        let ((span, rt), value) = (self.beside(expr), self.value(expr));
        quote_spanned!(span=> #rt::pass::Pass::pass(&#value)?)
    }

    fn handed(&self, expr: &Expr, value: &TokenStream) -> TokenStream {
        let (span, rt) = self.beside(expr);
        quote_spanned!(span=> #rt::handed::Handed::new(#value).handed()?)
    }

    /// One of two values of which the compiler alone knows what they are.
    pub(super) fn chosen(&self, expr: &Expr) -> TokenStream {
        self.choose(expr, &|one| match one {
            Expr::Field(..) | Expr::Path(_) => {
                let value = self.value(one);
                quote!(&#value)
            }
            _ => self.said(one),
        })
    }

    /// The same as a value of its own.
    pub(super) fn chosen_value(&self, expr: &Expr) -> TokenStream {
        let mut lens = Vec::new();
        lens_of_constants(expr, &mut lens);
        let differ = lens.windows(2).any(|pair| matches!(pair, [one, other] if one != other));
        self.choose(expr, &|one| match one {
            Expr::Bytes(_) if differ => {
                let bytes = self.said(one);
                quote!(&#bytes[..])
            }
            Expr::Field(..) | Expr::Name(_) => {
                let value = self.referred(one);
                quote!(::core::clone::Clone::clone(#value))
            }
            _ => self.said(one),
        })
    }

    fn choose(&self, expr: &Expr, value: &dyn Fn(&Expr) -> TokenStream) -> TokenStream {
        let Expr::If(condition, yes, no) = expr else {
            let (rt, value) = (&self.rt, value(expr));
            return quote!(#rt::handed::Chosen::new(#value).chosen()?);
        };
        let (condition, yes, no) =
            (self.truth(condition), self.choose(yes, value), self.choose(no, value));
        quote!(if #condition { #yes } else { #no })
    }
}

/// How many bytes the constants have of which conditions choose one.
fn lens_of_constants(expr: &Expr, lens: &mut Vec<usize>) {
    match expr {
        Expr::If(_, yes, no) => {
            lens_of_constants(yes, lens);
            lens_of_constants(no, lens);
        }
        Expr::Bytes(bytes) => lens.push(bytes.value().len()),
        _ => {}
    }
}

/// Whether a function is `u64::from`, or that of another number: what it is given cannot follow from
/// what it takes.
fn is_conversion(function: &Path) -> bool {
    let mut parts = function.segments.iter().rev().map(|part| part.ident.to_string());
    let (last, ty) = (parts.next(), parts.next());
    let is_number = |ty: String| Scalar::named(&ty).is_some() || ty == "usize";
    last.is_some_and(|last| last == "from") && ty.is_some_and(is_number)
}
