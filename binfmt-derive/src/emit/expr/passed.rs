//! Arguments that are passed to types.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens as _, quote, quote_spanned};
use syn::Ident;

use super::Wanted;
use super::names::bound;
use crate::emit::{Emitter, Site};
use crate::expr::Expr;
use crate::model::Field;
use crate::tokens::respanned;

impl Emitter<'_> {
    /// The arguments of a type, as `Option`: integers are converted, all else is cloned.
    pub(crate) fn passed(&self, ty: &TokenStream, exprs: &[&Expr], site: Site) -> TokenStream {
        let rt = &self.rt;
        let bindings = self.bindings(exprs, site);
        let values = exprs.iter().map(|expr| self.passed_value(expr, site));
        let span = exprs.first().map_or_else(Span::call_site, |expr| expr.span());
        let span = Span::call_site().located_at(span);
        let (ty, rt) = (respanned(ty.clone(), span), respanned(rt.clone(), span));
        let any = match site {
            Site::Write => quote!(|| __out.takes_any()),
            Site::Walk => quote!(|| false),
        };
        let of = quote_spanned!(span=> #rt::pass::Given((#(#values,)*)).to::<#ty>(#any));
        let traits = self.traits(&of);
        if exprs.iter().any(|expr| gives(expr) || self.chooses(expr)) {
            return quote!((|| { #traits #bindings #of })());
        }
        quote!({ #traits #bindings #of })
    }

    /// The arguments of an item, as `Option`: those that follow from the item before, and for `None`
    /// what `before` has, which are the arguments of that.
    pub(crate) fn passed_on(
        &self,
        ty: &TokenStream,
        exprs: &[Option<&Expr>],
        before: &TokenStream,
    ) -> TokenStream {
        let rt = &self.rt;
        let given: Vec<&Expr> = exprs.iter().copied().flatten().collect();
        let bindings = self.bindings(&given, Site::Walk);
        let values = exprs.iter().map(|expr| match expr {
            Some(expr) => self.passed_value(expr, Site::Walk),
            None => quote!(#rt::pass::Keep),
        });
        let span = given.first().map_or_else(Span::call_site, |expr| expr.span());
        let span = Span::call_site().located_at(span);
        let (ty, rt) = (respanned(ty.clone(), span), respanned(rt.clone(), span));
        let of = quote_spanned!(span=> #rt::pass::Given((#(#values,)*)).behind::<#ty>(#before));
        let traits = self.traits(&of);
        quote!((|| { #traits #bindings #of })())
    }

    /// A reference to one value that is passed.
    fn passed_value(&self, expr: &Expr, site: Site) -> TokenStream {
        let rt = &self.rt;
        let span = Span::call_site().located_at(expr.span());
        match expr {
            Expr::Name(name) if !self.is_scalar(name) => bound(name).to_token_stream(),
            Expr::Int(value, _) => quote_spanned!(span=> &#value),
            _ if self.chooses(expr) => {
                let value = self.chosen_value(expr);
                quote_spanned!(span=> &#value)
            }
            _ if is_computed(expr) => {
                if is_truth(expr) {
                    let call = self.called("args", expr, Wanted::Truth, site);
                    quote_spanned!(span=> &(#call == __rt::Some(true)))
                } else {
                    let call = self.computed_argument(expr, site);
                    quote_spanned!(span=> &#rt::pass::Computed(#call))
                }
            }
            _ => {
                let value = self.value(expr);
                quote_spanned!(span=> &#value)
            }
        }
    }

    /// Whether a condition chooses one of two values that may be no numbers: one is a constant or a variant.
    fn chooses(&self, expr: &Expr) -> bool {
        let Expr::If(_, yes, no) = expr else { return false };
        let is_no_number = |part: &Expr| {
            matches!(part, Expr::Path(_) | Expr::Bytes(_) | Expr::Text(_)) || self.chooses(part)
        };
        !self.is_number(expr) && !is_truth(expr) && (is_no_number(yes) || is_no_number(no))
    }

    /// The names in expressions that are no calls of functions.
    fn bindings(&self, exprs: &[&Expr], site: Site) -> TokenStream {
        let mut names: Vec<&Ident> = Vec::new();
        let is_called = |expr: &Expr| is_computed(expr) && !self.chooses(expr);
        for name in exprs.iter().filter(|expr| !is_called(expr)).flat_map(|expr| expr.names()) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let bindings = names.into_iter().map(|name| {
            let (bound, operand) = (bound(name), self.operand(name, site));
            quote!(let #bound = #operand;)
        });
        bindings.collect()
    }

    /// What the function of a `calc` gives, as `Option` of the type of the field.
    pub(crate) fn made(&self, field: &Field<'_>, expr: &Expr, site: Site) -> TokenStream {
        let (rt, ty) = (&self.rt, field.ty);
        let bindings = self.bindings(&[expr], site);
        let ((span, beside), given) = (self.beside(expr), self.value(expr));
        let value = quote_spanned!(span=> #beside::pass::Said(#given).said());
        let traits = self.traits(&value);
        quote!((|| -> #rt::Option<#ty> { #traits #bindings #value })())
    }

    /// What a function that reads or writes a field is given, as `Option`: a number in the type
    /// that the function takes, all else by reference.
    pub(crate) fn given_by_hand(&self, expr: &Expr, site: Site) -> TokenStream {
        let rt = &self.rt;
        let bindings = self.bindings(&[expr], site);
        let span = Span::call_site().located_at(expr.span());
        let pass = |value: TokenStream| match site {
            Site::Write => quote_spanned!(span=> #rt::write::passed(__out, #value)),
            Site::Walk => quote_spanned!(span=> #rt::pass::Pass::pass(#value)),
        };
        let given = match expr {
            Expr::Name(name) if !self.is_scalar(name) => {
                let name = bound(name);
                quote!(#rt::Some(#name))
            }
            Expr::Int(value, _) => quote_spanned!(span=> #rt::pass::Pass::pass(&#value)),
            Expr::Negative(value, _) => quote_spanned!(span=> #rt::pass::Pass::pass(&#value)),
            Expr::Bool(..) | Expr::Bytes(_) | Expr::Text(_) => {
                let value = self.value(expr);
                quote!(#rt::Some(#value))
            }
            _ if is_truth(expr) => self.called("args", expr, Wanted::Truth, site),
            _ if self.chooses(expr) => {
                let value = self.chosen(expr);
                quote_spanned!(span=> #rt::handed::Handed::new(#value).handed())
            }
            _ if is_computed(expr) => {
                let call = self.computed_argument(expr, site);
                pass(quote_spanned!(span=> &#rt::pass::Computed(#call)))
            }
            Expr::Field(..) => {
                let value = self.value(expr);
                quote_spanned!(span=> (&#rt::pass::Part(&#value)).passed())
            }
            _ => {
                let value = self.value(expr);
                pass(quote_spanned!(span=> &#value))
            }
        };
        let traits = self.traits(&given);
        if gives(expr) || self.chooses(expr) {
            return quote!((|| { #traits #bindings #given })());
        }
        quote!({ #traits #bindings #given })
    }
}

/// Whether an argument is what a function gives that is given something, or a part of what one
/// gives: what there is not ends the computation.
fn gives(expr: &Expr) -> bool {
    match expr {
        Expr::Call(_, args) => !args.is_empty(),
        Expr::Method(inner, _, args) => !args.is_empty() || is_computed(inner) || gives(inner),
        Expr::Field(inner, _) => {
            matches!(**inner, Expr::Call(..) | Expr::Method(..)) || gives(inner)
        }
        _ => false,
    }
}

/// Whether an argument is computed by the arithmetic of declarations.
fn is_computed(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::Not(_) | Expr::Binary(..) | Expr::Measure(..) | Expr::Builtin(..) | Expr::If(..)
    )
}

/// Whether an expression is a condition.
pub(super) fn is_truth(expr: &Expr) -> bool {
    match expr {
        Expr::Not(_) | Expr::Bool(..) => true,
        Expr::Binary(_, op, _) => op.is_comparison() || op.is_logic(),
        Expr::If(_, yes, _) => is_truth(yes),
        _ => false,
    }
}
