//! What the next item is given: `previous`, where the items are found one after the other.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Ident, Type};

use super::Emitter;
use crate::expr::{Expr, OR};
use crate::model::{Field, Kind, parameter, parts, scalar, widest};

/// Whether the items take one argument, which is no tuple.
fn is_single(field: &Field<'_>) -> bool {
    field.words.args.as_ref().is_some_and(|args| args.value.passed().len() == 1)
}

/// What names of arguments of the item before stand for: a tuple of its arguments.
pub(super) fn bound_given(field: &Field<'_>) -> Option<TokenStream> {
    let one = is_single(field).then(|| quote!(,));
    field.has_given().then(|| quote!(let __given = &(__before #one);))
}

impl Emitter<'_> {
    /// What makes the arguments of an item out of the item before it and the arguments of that.
    pub(super) fn next_args(&self, field: &Field<'_>) -> TokenStream {
        let (Kind::Vec(item) | Kind::Seq(item)) = field.kind else { return TokenStream::new() };
        let rt = &self.rt;
        let next = self.next_args_of(item, field, &quote!(__before));
        let given = bound_given(field);
        quote! {
            |__previous: &#item, __before: <#item as #rt::Wire<'_>>::Args| { #given __rt::Some(#next) }
        }
    }

    /// The type of what names of arguments of the item before stand for.
    pub(super) fn given_type(&self, name: &Ident) -> TokenStream {
        // A function outside of the impl has no lifetime but that of the type.
        let own = self.model.lifetime.map(|_| &self.lifetime);
        let (rt, lifetime) = (&self.rt, own.map_or_else(|| quote!('_), |own| quote!(#own)));
        let field = self.model.field_of_item(name);
        let (one, item) = (field.filter(|field| is_single(field)), self.model.last_item(name));
        let one = one.map(|_| quote!(,));
        quote!((<#item as #rt::Wire<#lifetime>>::Args #one))
    }

    /// The arguments of one type, which were `before` for the item before.
    fn next_args_of(&self, ty: &Type, field: &Field<'_>, before: &TokenStream) -> TokenStream {
        match ty {
            _ if scalar(ty).is_some() || parameter(self.model, ty).is_some() => before.clone(),
            Type::Array(array) => self.next_args_of(&array.elem, field, before),
            _ => match parts(ty).as_deref() {
                Some([inner])
                    if widest(inner).is_some() || parameter(self.model, inner).is_some() =>
                {
                    before.clone()
                }
                _ => self.next_args_of_declared(ty, field, before),
            },
        }
    }

    /// The arguments of a declared type: those that follow from the item before are made anew.
    fn next_args_of_declared(
        &self,
        ty: &Type,
        field: &Field<'_>,
        before: &TokenStream,
    ) -> TokenStream {
        let rt = &self.rt;
        let Some(args) = &field.words.args else { return before.clone() };
        let list = args.value.passed();
        let same_names = self.same_names(ty, list);
        let exprs = list.iter().map(|(_, expr)| match expr {
            Expr::Builtin(or, parts) if or == OR => parts.first(),
            _ => None,
        });
        let exprs: Vec<Option<&Expr>> = exprs.collect();
        let values = self.passed_on(&quote!(<#ty as #rt::Wire<'_>>::Args), &exprs, before);
        quote! {{
            #same_names
            #values?
        }}
    }
}
