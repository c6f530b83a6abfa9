//! Expressions as code inside their functions.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens as _, format_ident, quote, quote_spanned};
use syn::Member;

use super::measured;
use super::names::bound;
use crate::emit::Emitter;
use crate::expr::{Expr, Op};
use crate::model::Numeric;

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
                let (yes, no) = (self.number(yes, alone), self.number(no, alone));
                let condition = self.truth(condition);
                quote!(if #condition { #yes } else { #no })
            }
            Expr::Binary(left, op, right) => {
                let typed = left.has_type() && right.has_type();
                let unsure = typed && (left.is_opaque() || right.is_opaque());
                let alone = alone && !left.has_type() && !right.has_type();
                let (left, right) = (self.number(left, alone), self.number(right, alone));
                let right = if unsure { quote!(#rt::ops::alike(#right)) } else { right };
                let method = format_ident!("{}", op.method());
                let sure = !matches!(op, Op::BitAnd | Op::BitOr);
                let or_none = sure.then(|| quote!(?));
                quote!(#rt::ops::Wide::#method(#left, #right) #or_none)
            }
            Expr::Measure(measure, field) => {
                let name = measured(*measure, field);
                quote!(#name)
            }
            Expr::Builtin(name, args) => {
                let alone = alone && !args.iter().any(Expr::has_type);
                let args: Vec<_> = args.iter().map(|arg| self.number(arg, alone)).collect();
                if name == "align_up" {
                    quote!(#rt::ops::align_up(#(#args),*)?)
                } else {
                    quote!(::core::cmp::Ord::#name(#(#args),*))
                }
            }
            Expr::Name(name) => {
                let or_none = self.is_integer_inside(name).then(|| quote!(.as_ref()?));
                let name = bound(name);
                quote!(#rt::ops::Widen::widen(#name #or_none))
            }
            other => {
                let value = self.said(other);
                quote!(#rt::ops::Widen::widen(&#value))
            }
        }
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
            other => self.said(other),
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
            // What is no number is passed by reference.
            Expr::Name(name) => {
                let name = bound(name);
                quote!(*#name)
            }
            other => self.value(other),
        }
    }

    /// Numbers are compared widened, all else as it is.
    fn comparison(&self, left: &Expr, op: Op, right: &Expr) -> TokenStream {
        let rt = &self.rt;
        if self.is_number(left) || self.is_number(right) {
            let token = op.tokens();
            let typed = left.has_type() && right.has_type();
            let unsure = typed && (left.is_opaque() || right.is_opaque());
            let alone = !left.has_type() && !right.has_type();
            let (left, right) = (self.number(left, alone), self.number(right, alone));
            return if unsure {
                self.compared(&quote!(&#left), op, &quote!(&#right))
            } else {
                quote!((#left #token #right))
            };
        }
        let runs = [left, right].into_iter().find_map(|side| match side {
            Expr::Bytes(_) => Some(quote!(bytes)),
            Expr::Text(_) => Some(quote!(text)),
            _ => None,
        });
        let side = |side: &Expr| match (&runs, side) {
            (Some(_), Expr::Call(..) | Expr::Method(..)) => {
                let value = self.said(side);
                quote!(&#value)
            }
            _ => self.reference(side),
        };
        let (a, b) = (side(left), side(right));
        if let Some(of) = &runs {
            let token = op.tokens();
            return quote!((#rt::compared::#of(#a) #token #rt::compared::#of(#b)));
        }
        self.compared(&a, op, &b)
    }

    /// Two values, whose types are not seen here, compared by what they are.
    fn compared(&self, a: &TokenStream, op: Op, b: &TokenStream) -> TokenStream {
        let rt = &self.rt;
        let pair = quote!((&#rt::pass::Pair(#a, #b)));
        match op {
            Op::Eq => return quote!(#pair.equal()),
            Op::Ne => return quote!(!#pair.equal()),
            _ => {}
        }
        let holds = format_ident!("{}", op.method());
        quote!(#pair.compare().is_some_and(::core::cmp::Ordering::#holds))
    }

    /// Whether an expression is seen to be an integer.
    fn is_number(&self, expr: &Expr) -> bool {
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
                let value = self.value(other);
                quote!(&#value)
            }
        }
    }

    /// What a function gives, inside a function that returns `Option`: the value in an `Option` for
    /// one that may say that there is none, as the method of a computed value does.
    pub(super) fn said(&self, expr: &Expr) -> TokenStream {
        let (rt, value) = (&self.rt, self.value(expr));
        match expr {
            Expr::Call(..) | Expr::Method(..) => quote!(#rt::pass::Said(#value).said()?),
            _ => value,
        }
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
                let args = args.iter().map(|arg| self.given(arg));
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

    /// What a function of the user is given, inside a function that returns `Option`: numbers in
    /// the type that it takes, all else by reference.
    fn given(&self, expr: &Expr) -> TokenStream {
        let value = self.value(expr);
        let rt = &self.rt;
        let span = Span::call_site().located_at(expr.span());
        match expr {
            Expr::Field(..) => quote_spanned!(span=> (&#rt::pass::Part(&#value)).passed()?),
            Expr::Name(name) if self.is_scalar(name) => {
                quote_spanned!(span=> #rt::pass::Pass::pass(&#value)?)
            }
            Expr::Binary(_, op, _) if op.is_comparison() || op.is_logic() => value,
            Expr::Binary(..) | Expr::Measure(..) | Expr::Builtin(..) => {
                quote_spanned!(span=> #rt::pass::Pass::pass(&#value)?)
            }
            _ => value,
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
