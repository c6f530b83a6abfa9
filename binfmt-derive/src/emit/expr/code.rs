//! Expressions as code inside their functions.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens as _, format_ident, quote, quote_spanned};
use syn::Member;

use super::measured;
use super::names::bound;
use super::signs::Sign;
use crate::emit::Emitter;
use crate::expr::{Expr, OR, Op};
use crate::model::{Numeric, is_before};
use crate::tokens::respanned;

impl Emitter<'_> {
    /// An expression as a wide integer, inside a function that returns `Option`. A literal has the
    /// type of what it meets; where it meets none, it is `alone`.
    pub(super) fn number(&self, expr: &Expr, alone: bool) -> TokenStream {
        let rt = &self.rt;
        match expr {
            Expr::Int(value, _) if alone => quote!(#value),
            Expr::Negative(value, _) => quote!(#value),
            Expr::Int(..) => self.value(expr),
            Expr::If(condition, yes, no) => {
                let alone = alone && !yes.has_type() && !no.has_type();
                let (yes, no) = (self.branch(yes, no, alone), self.like(yes, no, alone));
                let condition = self.truth(condition);
                quote!(if #condition { #yes } else { #no })
            }
            Expr::Binary(left, op, right) => self.step(left, *op, right, alone),
            Expr::Measure(measure, field) => {
                let name = measured(*measure, field);
                quote!(#name)
            }
            Expr::Builtin(name, args) => {
                let alone = alone && !args.iter().any(Expr::has_type);
                if let [of] = args.as_slice() {
                    let number = self.number(of, true);
                    return quote!(#rt::ops::Wide::abs(#number));
                }
                let [a, b] = args.as_slice() else { return TokenStream::new() };
                if name == OR {
                    self.next_or_first(a, b, alone)
                } else if name == "align_up" {
                    let (value, align) = (self.unsigned(a, alone), self.unsigned(b, alone));
                    quote!(#rt::ops::align_up(#value, #align)?)
                } else {
                    self.smaller_or_larger(name, (a, b), alone)
                }
            }
            Expr::Name(name) => {
                let or_none = self.is_integer_inside(name).then(|| quote!(.as_ref()?));
                let (span, rt) = self.beside(expr);
                let name = bound(name);
                quote_spanned!(span=> #rt::ops::Widen::widen(#name #or_none))
            }
            other => {
                let (span, rt) = self.beside(other);
                let value = self.said(other);
                // The compiler alone sees whether a part of a value may be absent.
                match other.part() {
                    Some(_) => quote_spanned!(span=> #rt::ops::Operand::operand(&#value)?),
                    None => quote_spanned!(span=> #rt::ops::Widen::widen(&#value)),
                }
            }
        }
    }

    /// A number that a condition chooses, or another one.
    fn branch(&self, expr: &Expr, other: &Expr, alone: bool) -> TokenStream {
        if self.sign(expr).differs(self.sign(other)) {
            return self.with_sign(expr);
        }
        self.number(expr, alone)
    }

    /// The number of the other branch, which has the type of the first one.
    fn like(&self, other: &Expr, expr: &Expr, alone: bool) -> TokenStream {
        let number = self.branch(expr, other, alone);
        if !self.sign(other).is_unsure(self.sign(expr)) {
            return number;
        }
        let (span, rt) = self.beside(expr);
        quote_spanned!(span=> #rt::ops::alike(#number))
    }

    /// What the item before says, or what the first item has in its place.
    fn next_or_first(&self, next: &Expr, first: &Expr, alone: bool) -> TokenStream {
        let Some(name) = next.names().into_iter().find(|name| is_before(name)) else {
            return TokenStream::new();
        };
        let (rt, before) = (&self.rt, bound(name));
        let there = if self.is_scalar(name) { quote!(&#before) } else { quote!(#before) };
        let unsure = self.sign(next).is_unsure(self.sign(first));
        let [of_next, of_first] =
            [(next, first), (first, next)].map(|(one, other)| self.branch(one, other, alone));
        if !unsure {
            return quote!(match #before { __rt::Some(#there) => #of_next, __rt::None => #of_first });
        }
        // Only the compiler sees whether both are of one type.
        let of_next = quote! {
            match #before {
                __rt::Some(#there) => #of_next,
                __rt::None => ::core::default::Default::default(),
            }
        };
        quote!({
            let (__a, __b) = #rt::ops::of_one_type(#of_next, #of_first)?;
            if #before.is_some() { __a } else { __b }
        })
    }

    /// A number that is aligned, or that others are aligned to.
    fn unsigned(&self, expr: &Expr, alone: bool) -> TokenStream {
        let number = self.number(expr, alone);
        if self.sign(expr) != Sign::Hidden {
            return number;
        }
        let (span, rt) = self.beside(expr);
        quote_spanned!(span=> #rt::wanted::unsigned(#number))
    }

    /// An expression as a truth value, inside a function that returns `Option`.
    pub(super) fn truth(&self, expr: &Expr) -> TokenStream {
        match expr {
            Expr::Bool(value, _) => quote!(#value),
            Expr::Not(inner) => {
                let inner = self.truth(inner);
                quote!(!#inner)
            }
            Expr::If(condition, yes, no) => {
                let (condition, yes, no) = (self.truth(condition), self.truth(yes), self.truth(no));
                quote!(if #condition { #yes } else { #no })
            }
            Expr::Binary(left, op, right) if op.is_logic() => {
                let (left, right) = (self.truth(left), self.truth(right));
                if *op == Op::And { quote!((#left && #right)) } else { quote!((#left || #right)) }
            }
            Expr::Binary(left, op, right) if op.is_comparison() => {
                self.comparison(left, *op, right)
            }
            Expr::Name(name) if self.is_scalar(name) => self.value(expr),
            other => {
                let ((span, rt), value) = (self.beside(other), self.referred(other));
                quote_spanned!(span=> #rt::wanted::holds(#value))
            }
        }
    }

    /// An expression as a byte order, inside a function that returns `Option`.
    pub(super) fn byte_order(&self, expr: &Expr) -> TokenStream {
        match expr {
            Expr::If(condition, yes, no) => {
                let (condition, yes, no) =
                    (self.truth(condition), self.byte_order(yes), self.byte_order(no));
                quote!(if #condition { #yes } else { #no })
            }
            other => {
                let ((span, rt), value) = (self.beside(other), self.referred(other));
                quote_spanned!(span=> #rt::wanted::byte_order(#value))
            }
        }
    }

    /// Numbers are compared widened, all else as it is.
    fn comparison(&self, left: &Expr, op: Op, right: &Expr) -> TokenStream {
        if self.is_number(left) || self.is_number(right) {
            let token = op.tokens();
            let alone = !left.has_type() && !right.has_type();
            let (a, b) = (self.number(left, alone), self.number(right, alone));
            return if self.differ(left, right) {
                self.compared(place(left), (&quote!(&#a), &quote!(&#b)), op)
            } else {
                quote!((#a #token #b))
            };
        }
        // What a condition chooses is compared where it is chosen, so that both may be of any type.
        if let Expr::If(condition, yes, no) = left {
            let (yes, no) = (self.comparison(yes, op, right), self.comparison(no, op, right));
            let condition = self.truth(condition);
            return quote!((if #condition { #yes } else { #no }));
        }
        if let Expr::If(condition, yes, no) = right {
            let (yes, no) = (self.comparison(left, op, yes), self.comparison(left, op, no));
            let condition = self.truth(condition);
            return quote!((if #condition { #yes } else { #no }));
        }
        self.comparison_of_values(left, op, right)
    }

    /// Two values that are seen to be no numbers, or are not seen.
    fn comparison_of_values(&self, left: &Expr, op: Op, right: &Expr) -> TokenStream {
        let runs = [left, right].into_iter().find_map(|side| match side {
            Expr::Bytes(_) => Some(quote!(bytes)),
            Expr::Text(_) => Some(quote!(text)),
            _ => None,
        });
        let side = |side: &Expr| match (&runs, side) {
            (Some(_), Expr::Call(..) | Expr::Method(..)) => self.referred(side),
            _ => self.reference(side),
        };
        let (a, b) = (side(left), side(right));
        let Some(of) = &runs else { return self.compared(place(left), (&a, &b), op) };
        let token = op.tokens();
        let run = |side: &Expr, value: &TokenStream| {
            let (span, rt) = self.beside(side);
            quote_spanned!(span=> #rt::compared::#of(#value))
        };
        let (a, b) = (run(left, &a), run(right, &b));
        quote!((#a #token #b))
    }

    /// Two values, whose types are not seen here, compared by what they are.
    fn compared(&self, span: Span, (a, b): (&TokenStream, &TokenStream), op: Op) -> TokenStream {
        let rt = respanned(self.rt.clone(), span);
        let pair = quote_spanned!(span=> #rt::compared::Pair(#a, #b));
        match op {
            Op::Eq => return quote_spanned!(span=> #pair.equal()),
            Op::Ne => return quote_spanned!(span=> !#pair.equal()),
            _ => {}
        }
        let holds = format_ident!("{}", op.method());
        quote_spanned!(span=> #pair.compare().is_some_and(::core::cmp::Ordering::#holds))
    }

    /// Whether an expression is seen to be an integer.
    pub(super) fn is_number(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Int(..) | Expr::Negative(..) | Expr::Measure(..) | Expr::Builtin(..) => true,
            Expr::Binary(_, op, _) => !op.is_comparison() && !op.is_logic(),
            Expr::If(_, yes, no) => self.is_number(yes) || self.is_number(no),
            Expr::Name(name) => {
                matches!(self.numeric(name), Some(Numeric::Unsigned | Numeric::Signed))
            }
            _ => false,
        }
    }

    fn reference(&self, expr: &Expr) -> TokenStream {
        match expr {
            Expr::Name(name) if !self.is_scalar(name) => {
                let name = bound(name);
                quote!(#name)
            }
            other => {
                let (span, value) = (place(other), self.value(other));
                quote_spanned!(span=> &#value)
            }
        }
    }

    /// A reference to a value, and to what a function has given.
    pub(super) fn referred(&self, expr: &Expr) -> TokenStream {
        match expr {
            Expr::Call(..) | Expr::Method(..) => {
                let (span, value) = (place(expr), self.said(expr));
                quote_spanned!(span=> &#value)
            }
            _ => self.reference(expr),
        }
    }

    /// What a function gives, inside a function that returns `Option`: the value in an `Option` for
    /// one that may say that there is none, as the method of a computed value does.
    pub(super) fn said(&self, expr: &Expr) -> TokenStream {
        let value = self.value(expr);
        match expr {
            Expr::Call(..) | Expr::Method(..) => {
                let (span, rt) = self.beside(expr);
                quote_spanned!(span=> #rt::pass::Said(#value).said()?)
            }
            _ => value,
        }
    }

    /// What names the interface of the runtime where an expression stands, so that the compiler finds
    /// fault there.
    pub(super) fn beside(&self, expr: &Expr) -> (Span, TokenStream) {
        let span = place(expr);
        (span, respanned(self.rt.clone(), span))
    }

    /// An expression as the `Option` that a function returns; `value` inside it.
    pub(super) fn whole(&self, expr: &Expr, value: impl FnOnce() -> TokenStream) -> TokenStream {
        let rt = &self.rt;
        if let Expr::Call(..) | Expr::Method(..) = expr {
            let given = self.value(expr);
            return quote!(#rt::pass::Said(#given).said());
        }
        let value = value();
        quote!(#rt::Some(#value))
    }

    /// An expression as it stands: names of scalars are values, all others are references.
    pub(super) fn value(&self, expr: &Expr) -> TokenStream {
        match expr {
            Expr::Bool(value, _) => quote!(#value),
            Expr::Int(value, span) => {
                let mut literal = proc_macro2::Literal::u64_unsuffixed(*value);
                literal.set_span(*span);
                quote!(#literal)
            }
            Expr::Negative(value, span) => {
                let mut literal = proc_macro2::Literal::i64_unsuffixed(*value);
                literal.set_span(*span);
                quote!(#literal)
            }
            Expr::Bytes(bytes) => quote!(#bytes),
            Expr::Name(name) => bound(name).to_token_stream(),
            Expr::Path(path) => quote!(#path),
            Expr::Text(text) => quote!(#text),
            Expr::Field(inner, member) => {
                let inner = self.said(inner);
                // Spans of one kind, so that the compiler's hints know where the expression ends.
                let mut member = member.clone();
                if let Member::Named(name) = &mut member {
                    name.set_span(Span::call_site().located_at(name.span()));
                }
                quote!(#inner.#member)
            }
            Expr::Call(path, args) => {
                let args = self.given_to(path, args);
                quote!(#path(#(#args),*))
            }
            Expr::Method(inner, method, args) => {
                let inner = match **inner {
                    Expr::Int(..) | Expr::Path(_) | Expr::Call(..) => self.value(inner),
                    _ => {
                        let inner = self.value(inner);
                        quote!((#inner))
                    }
                };
                let args = args.iter().map(|arg| self.given(arg));
                quote!(#inner.#method(#(#args),*))
            }
            Expr::Not(_) => self.truth(expr),
            Expr::Binary(_, op, _) if op.is_comparison() || op.is_logic() => self.truth(expr),
            Expr::Binary(..) | Expr::Measure(..) | Expr::Builtin(..) | Expr::If(..) => {
                self.number(expr, true)
            }
        }
    }

    /// A constant, as the default of an argument.
    pub(crate) fn constant(&self, expr: &Expr) -> TokenStream {
        match expr {
            Expr::Binary(left, op, right) => {
                let (left, right) = (self.constant(left), self.constant(right));
                let token = op.tokens();
                quote!((#left #token #right))
            }
            Expr::If(condition, yes, no) => {
                let (condition, yes, no) =
                    (self.constant(condition), self.constant(yes), self.constant(no));
                quote!(if #condition { #yes } else { #no })
            }
            Expr::Not(inner) => {
                let inner = self.constant(inner);
                quote!(!#inner)
            }
            other => self.value(other),
        }
    }
}

/// Where the compiler finds fault with an expression, in generated code.
pub(super) fn place(expr: &Expr) -> Span {
    Span::call_site().located_at(expr.span())
}
