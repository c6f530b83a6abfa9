//! Expressions: small functions over the names they mention, called by every product.

mod code;
mod computed;
mod given;
mod names;
mod passed;
mod signs;

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;
use syn::spanned::Spanned as _;

use self::names::bound;
use super::{Emitter, Site, local, unraw};
use crate::expr::{Expr, Measure};
use crate::model::{Field, Numeric};
use crate::tokens::{mention, respanned};

/// The local variable and parameter that holds a measured length or count.
pub(crate) fn measured(measure: Measure, field: &Ident) -> Ident {
    format_ident!("__{}_{}", measure.word(), unraw(field))
}

/// What an expression is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// A size, count or offset: `Option<u64>`.
    Size,
    /// What a field of a signed number is computed from: `Option<i64>`.
    Signed,
    /// An argument, which may be below 0: `Option<i128>`.
    Passed,
    /// What a number of a nested value is set to, which may be below 0: `Option<i128>`.
    Set,
    /// A condition: `Option<bool>`, where `None` is an overflow on the way.
    Truth,
    /// A byte order: `Option<Order>`.
    Order,
}

/// What a number of a nested value is set to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ToBeSet {
    /// `Option<u64>` or `Option<i128>`.
    Number,
    /// The tag of an enum, `Option<u64>`, whose bits are those of a number that may be below 0.
    Tag,
    /// 1 or 0, `Option<u64>`.
    Truth,
}

impl Emitter<'_> {
    /// A size, count or offset: a call of its function.
    pub(super) fn size(&self, word: &str, expr: &Expr, site: Site) -> TokenStream {
        self.called(word, expr, Wanted::Size, site)
    }

    /// What a field of a signed number is computed from: a call of its function.
    pub(super) fn signed(&self, word: &str, expr: &Expr, site: Site) -> TokenStream {
        self.called(word, expr, Wanted::Signed, site)
    }

    /// A number that is passed: a call of its function. One that is seen to be unsigned is a size.
    pub(super) fn computed_argument(&self, expr: &Expr, site: Site) -> TokenStream {
        let may_be_negative = self.sign(expr).may_be_negative();
        let wanted = if may_be_negative { Wanted::Passed } else { Wanted::Size };
        self.called("args", expr, wanted, site)
    }

    /// A condition: a call of its function.
    pub(super) fn condition(&self, word: &str, expr: &Expr, site: Site) -> TokenStream {
        self.called(word, expr, Wanted::Truth, site)
    }

    /// What is to be set, as an `Option` of what it is.
    pub(super) fn to_be_set(&self, expr: &Expr, site: Site) -> (TokenStream, ToBeSet) {
        if self.model.is_condition(expr) {
            // One that cannot be computed does not hold.
            let call = self.condition("set", expr, site);
            let number =
                quote!(__rt::Some(::core::primitive::u64::from(#call == __rt::Some(true))));
            return (number, ToBeSet::Truth);
        }
        if matches!(expr, Expr::Measure(Measure::Tag, _)) {
            return (self.size("set", expr, site), ToBeSet::Tag);
        }
        let may_be_negative = self.sign(expr).may_be_negative() || self.is_difference(expr);
        let wanted = if may_be_negative { Wanted::Set } else { Wanted::Size };
        (self.called("set", expr, wanted, site), ToBeSet::Number)
    }

    /// A call of the function of an expression, unless that is as short as its call.
    pub(super) fn called(
        &self,
        word: &str,
        expr: &Expr,
        wanted: Wanted,
        site: Site,
    ) -> TokenStream {
        let rt = &self.rt;
        match expr {
            _ if wanted != Wanted::Size => {}
            Expr::Int(value, _) => return quote!(#rt::Some(#value)),
            Expr::Measure(measure, field) => {
                let local = measured(*measure, field);
                return quote!(#rt::Some(#local));
            }
            Expr::Name(name) if self.numeric(name) == Some(Numeric::Unsigned) => {
                let operand = self.operand(name, site);
                return quote!(#rt::ops::size(#operand));
            }
            _ => {}
        }
        let code = || match wanted {
            Wanted::Size => {
                let value = self.number(expr, true);
                (quote!(u64), quote!(#rt::ops::to_size(#value)))
            }
            Wanted::Signed | Wanted::Set if self.is_difference(expr) => {
                let (value, signed) = (self.number(expr, true), self.with_sign(expr));
                let value = quote!(#rt::ops::difference(|| #rt::ops::to_size(#value), || #rt::ops::to_signed(#signed)));
                let signed = wanted == Wanted::Signed;
                (if signed { quote!(i64) } else { quote!(i128) }, value)
            }
            Wanted::Signed => {
                let value = self.number(expr, true);
                (quote!(i64), quote!(#rt::ops::to_signed(#value)))
            }
            Wanted::Passed | Wanted::Set => {
                let value = self.number(expr, true);
                (quote!(i128), quote!(#rt::Some(::core::convert::Into::into(#value))))
            }
            Wanted::Truth => {
                let holds = self.truth(expr);
                (quote!(bool), quote!(#rt::Some(#holds)))
            }
            Wanted::Order => {
                let order = self.byte_order(expr);
                (quote!(#rt::Order), quote!(#rt::Some(#order)))
            }
        };
        if self.is_untyped(expr) {
            return self.in_place(expr, code(), site);
        }
        let function = self.function(word, expr, code);
        self.call(&function, expr, site)
    }

    /// An expression computed where it stands: the compiler alone knows the types in it.
    fn in_place(
        &self,
        expr: &Expr,
        (ty, body): (TokenStream, TokenStream),
        site: Site,
    ) -> TokenStream {
        let (rt, traits) = (&self.rt, self.traits(&body));
        let bindings = expr.names().into_iter().map(|name| {
            let (bound, operand) = (bound(name), self.operand(name, site));
            quote!(let #bound = #operand;)
        });
        quote!({
            #traits
            #(#bindings)*
            #rt::ops::computed(|| -> #rt::Option<#ty> { #body })
        })
    }

    /// A call of the function of an expression.
    fn call(&self, function: &Ident, expr: &Expr, site: Site) -> TokenStream {
        let names = expr.names().into_iter().map(|name| self.operand(name, site));
        let measures = expr.measures().into_iter().map(|(measure, field)| measured(measure, field));
        quote!(Self::#function(#(#names,)* #(#measures,)*))
    }

    /// The function of an expression, emitted when it is first asked for: what the `Option` that it
    /// returns holds, and its body.
    fn function(
        &self,
        word: &str,
        expr: &Expr,
        code: impl FnOnce() -> (TokenStream, TokenStream),
    ) -> Ident {
        let key = std::ptr::from_ref(expr);
        if let Some(name) = self.emitted.borrow().get(&key) {
            return name.clone();
        }
        let name = format_ident!("__bin_{}_{}", self.functions.borrow().len(), word);
        self.emitted.borrow_mut().insert(key, name.clone());
        let (rt, parameters) = (&self.rt, self.parameters(expr));
        let (ty, body) = code();
        self.functions.borrow_mut().push(quote! {
            #[inline(always)]
            fn #name(#(#parameters),*) -> #rt::Option<#ty> { #body }
        });
        name
    }

    /// The traits whose methods some code calls.
    pub(super) fn traits(&self, code: &TokenStream) -> Option<TokenStream> {
        let rt = &self.rt;
        let calls = |name: &str| mention(code.clone(), name);
        let part = (calls("given") || calls("passed"))
            .then(|| quote!(use #rt::pass::{AnyPart as _, NumberPart as _};));
        let pair = calls("equal") || calls("compare");
        let pair =
            pair.then(|| quote!(use #rt::compared::{AnyPair as _, NumberPair as _, RunPair as _};));
        let said = calls("said").then(|| quote!(use #rt::pass::SaidPlainly as _;));
        let handed = calls("handed").then(
            || quote!(use #rt::handed::{AnyHanded as _, NumberHanded as _, ReferenceHanded as _};),
        );
        let chosen =
            calls("chosen").then(|| quote!(use #rt::handed::{AnyChosen as _, NumberChosen as _};));
        Some(quote!(#part #pair #said #handed #chosen)).filter(|traits| !traits.is_empty())
    }

    fn parameters(&self, expr: &Expr) -> Vec<TokenStream> {
        let names = expr.names().into_iter().map(|name| {
            let (ty, by_value) = self.type_of(name);
            let name = bound(name);
            if by_value { quote!(#name: #ty) } else { quote!(#name: &#ty) }
        });
        let measures = expr.measures().into_iter().map(|(measure, field)| {
            let name = measured(measure, field);
            quote!(#name: u64)
        });
        names.chain(measures).collect()
    }
}

/// A field's value as the scalar it stores.
pub(crate) fn wide(rt: &TokenStream, field: &Field<'_>) -> TokenStream {
    let local = local(&field.name);
    at_type(field, quote!(#rt::ops::Widen::widen(#local)))
}

/// Code that asks something of the type of a field: where it has no answer, the compiler says so there.
pub(crate) fn at_type(field: &Field<'_>, code: TokenStream) -> TokenStream {
    respanned(code, field.inner.span())
}
