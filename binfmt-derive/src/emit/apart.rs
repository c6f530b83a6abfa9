//! The walk and the writer of a declaration that calls methods, outside of the trait.

use proc_macro2::TokenStream;
use quote::quote;

use super::{Emitter, Products};
use crate::expr::Expr;
use crate::model::limits::item_rules;
use crate::model::{Owner, Use};
use crate::tokens::of_trait;

impl Emitter<'_> {
    /// Whether an expression that is computed where it stands, and in no function of its own, calls a method.
    pub(super) fn calls_methods(&self) -> bool {
        let calls = |expr: &Expr| {
            let mut calls = false;
            expr.walk(&mut |part| calls |= matches!(part, Expr::Method(..)));
            calls
        };
        let fields = self.model.fields().iter();
        let keys =
            fields.flat_map(|field| item_rules(&field.words)).filter_map(|rule| rule.key.as_ref());
        let in_place = |one: &Use<'_>| {
            let made = |field: usize| {
                let field = self.model.fields().get(field);
                one.row.name == "calc" && field.is_some_and(|field| field.made_by().is_some())
            };
            let passed = ["args", "codec"].contains(&one.row.name) || one.field().is_some_and(made);
            // Of the items of tables in other values the compiler alone knows the types.
            passed || matches!(one.owner, Owner::Element(_))
        };
        let uses = self.model.exprs().into_iter().filter(in_place).map(|one| one.expr);
        keys.chain(uses).any(calls)
    }

    /// The walk and the writer outside of `Wire`: inside, the methods of that trait stand beside those
    /// of the user's traits, and a method of theirs may have the same name.
    pub(super) fn apart(&self, products: &Products) -> TokenStream {
        let declared = |code: &TokenStream| {
            let (rt, lifetime) = (&self.rt, &self.lifetime);
            of_trait(code.clone(), "__WIRE", &quote!(<Self as #rt::Wire<#lifetime>>))
        };
        let (walk, write) = (declared(&products.walk), declared(&products.write));
        let (rt, name, lifetime, inline) =
            (&self.rt, &self.model.input.ident, &self.lifetime, self.inline());
        let generics = self.generics();
        let (impl_generics, _, bounds) = generics.split_for_impl();
        let (_, ty_generics, _) = self.model.input.generics.split_for_impl();
        let (args_ty, bind) = (self.args_ty(), self.bound_args());
        let write = self.model.part.is_none().then(|| {
            quote! {
                #[inline]
                fn __emit(
                    &self,
                    __out: &mut #rt::Writer<'_>,
                    __args: #args_ty,
                ) -> __rt::Result<(), #rt::Fault> {
                    #bind
                    #write
                }
            }
        });
        quote! {
            #[automatically_derived]
            #[doc(hidden)]
            impl #impl_generics #name #ty_generics #bounds {
                #inline
                fn __walk<__O: #rt::Observer>(
                    __cur: &mut #rt::Cursor<#lifetime>,
                    __obs: &mut __O,
                    __args: #args_ty,
                ) -> __rt::Result<Self, #rt::Fault> {
                    #bind
                    #walk
                }

                #write
            }
        }
    }

    /// The same where `Wire` has it.
    pub(super) fn calls_what_is_apart(&self, products: Products) -> Products {
        let write = match self.model.part {
            Some(_) => products.write,
            None => quote!(self.__emit(__out, __args)),
        };
        Products { walk: quote!(Self::__walk(__cur, __obs, __args)), write, ..products }
    }
}
