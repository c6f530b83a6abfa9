//! `computed(name: Type = e, "text")`: a value of the type that is not on the wire.

use syn::{Ident, LitStr, Token, Type};

use super::value::{Reading, Value, equals};
use crate::expr::Expr;
use crate::ungroup;

/// One computed value.
pub(crate) struct Computed {
    pub(crate) name: Ident,
    pub(crate) ty: Type,
    pub(crate) expr: Expr,
    /// What it means, for the layout and the documentation of its method.
    pub(crate) doc: String,
    /// The word as written, for the layout.
    pub(crate) text: String,
}

const EXAMPLE: &str = "computed(total: u32 = a + b, \"both together\")";

impl Value for Computed {
    fn read(at: &mut Reading<'_>) -> syn::Result<Self> {
        let written: proc_macro2::TokenStream = at.input.fork().call(|input| {
            input.step(|cursor| {
                let tree = cursor.token_tree();
                tree.map_or_else(
                    || Ok((<_>::default(), *cursor)),
                    |(tree, next)| Ok((tree.into(), next)),
                )
            })
        })?;
        let text = format!("computed{}", super::plain(&written));
        let inner = at.list("nothing is computed in `computed()`; remove it")?;
        let given_as =
            |span| syn::Error::new(span, format!("a computed value is given as in `{EXAMPLE}`"));
        let name: Ident = inner.parse().map_err(|error| given_as(error.span()))?;
        if !inner.peek(Token![:]) {
            let message = format!("`{name}` needs a type: `{EXAMPLE}`");
            return Err(syn::Error::new(name.span(), message));
        }
        inner.parse::<Token![:]>()?;
        let ty = inner.call(ungroup::parsed).map_err(|error| given_as(error.span()))?;
        equals(&inner, &name, EXAMPLE)?;
        let expr = inner.parse()?;
        let mut doc = String::new();
        if inner.peek(Token![,]) {
            inner.parse::<Token![,]>()?;
            if !inner.is_empty() {
                let text: LitStr = inner.parse().map_err(|error: syn::Error| {
                    syn::Error::new(
                        error.span(),
                        "what a computed value means is a string; each has a word of its own",
                    )
                })?;
                doc = text.value();
            }
        }
        if !inner.is_empty() {
            return Err(syn::Error::new(inner.span(), "nothing may follow here"));
        }
        Ok(Self { name, ty, expr, doc, text })
    }

    fn exprs(&self) -> Vec<&Expr> {
        vec![&self.expr]
    }

    fn exprs_mut(&mut self) -> Vec<&mut Expr> {
        vec![&mut self.expr]
    }
}
