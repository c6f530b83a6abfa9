//! Values that are not on the wire: what they are, where they are looked at, and their methods.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens as _, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Ident, LitStr, Type};

use super::{at_type, bound, measured};
use crate::attr::Computed;
use crate::emit::write::{binding, count_of, if_present};
use crate::emit::{Emitter, Site, argument, strings, text, unraw};
use crate::expr::{Expr, Measure};
use crate::model::{Kind, Numeric};
use crate::steps::code_base;
use crate::tokens::respanned;

impl Emitter<'_> {
    /// A call of the function of a computed value, which gives an `Option` of its type.
    fn computed_call(&self, computed: &Computed, site: Site) -> TokenStream {
        let (expr, rt, ty) = (&computed.expr, &self.rt, &computed.ty);
        let function = self.function("computed", expr, || {
            let body = match Kind::of(ty).scalar().map(|scalar| scalar.numeric) {
                Some(Numeric::Unsigned | Numeric::Signed) => {
                    let value = self.number(expr, true);
                    quote!(#rt::ops::fit(#value))
                }
                Some(Numeric::Bool) => {
                    let holds = self.truth(expr);
                    quote!(#rt::Some(#holds))
                }
                _ => self.whole(expr, || self.owned(ty, expr)),
            };
            (quote!(#ty), body)
        });
        self.call(&function, expr, site)
    }

    /// What is neither a number nor a condition, as a value of its own.
    fn owned(&self, ty: &Type, expr: &Expr) -> TokenStream {
        match expr {
            Expr::If(condition, yes, no) => {
                let (yes, no) = (self.owned(ty, yes), self.owned(ty, no));
                let condition = self.truth(condition);
                quote!(if #condition { #yes } else { #no })
            }
            Expr::Name(name) => {
                let bound = bound(name);
                let by_value = self.is_scalar(name).then(|| quote!(&));
                self.copied(ty, name.span(), &quote!(#by_value #bound))
            }
            Expr::Field(..) => {
                let value = self.value(expr);
                self.copied(ty, expr.span(), &quote!(&#value))
            }
            other => self.said(other),
        }
    }

    /// A copy of what is behind a reference; a value of another type is told at the expression.
    fn copied(&self, ty: &Type, at: Span, value: &TokenStream) -> TokenStream {
        let span = Span::call_site().located_at(at);
        let (rt, value) = (respanned(self.rt.clone(), span), respanned(value.clone(), span));
        quote_spanned!(span=> #rt::ops::copied::<#ty, _>(#value))
    }

    /// A computed value in the text of a rule.
    pub(crate) fn computed_text(&self, computed: &Computed, site: Site) -> TokenStream {
        let (rt, call) = (&self.rt, self.computed_call(computed, site));
        quote!(#rt::ops::Known(#call))
    }

    /// The stable code of a computed value, and what is said where there is none.
    pub(crate) fn computed_rule(&self, computed: &Computed) -> (LitStr, LitStr) {
        let ty = code_base(self.model, None);
        let name = unraw(&computed.name);
        let what = format!("`{name}` cannot be computed, or does not fit its type");
        (text(&format!("{ty}.{name}")), text(&what))
    }

    /// A reader's look at a computed value.
    pub(crate) fn read_computed(&self, number: usize) -> TokenStream {
        let Some(computed) = self.model.words.computed.get(number) else {
            return TokenStream::new();
        };
        let rt = &self.rt;
        let index = self.model.fields().len().saturating_add(number);
        let call = self.computed_call(computed, Site::Walk);
        let rendered = rendered(rt, computed);
        quote! {
            let __computed = #call;
            __spans.computed((__start, __cur), __obs, #index, __computed.as_ref(), |__computed| #rendered)?;
        }
    }

    /// A writer's look at a computed value, which a reader would not find.
    pub(crate) fn write_computed(&self, computed: &Computed) -> TokenStream {
        let rt = &self.rt;
        let call = self.computed_call(computed, Site::Write);
        let (code, what) = self.computed_rule(computed);
        let name = text(&unraw(&computed.name));
        quote! {
            if #call.is_none() && __out.checks() {
                return __rt::Err(#rt::write::broken(__out, #name, __start, #code, ::core::format_args!(#what)));
            }
        }
    }

    /// The layout of a computed value, which has no place among the fields.
    pub(crate) fn computed_layout(&self, computed: &Computed) -> TokenStream {
        let rt = &self.rt;
        let (name, ty) =
            (text(&unraw(&computed.name)), text(&crate::model::type_text(&computed.ty)));
        let (doc, words) = (text(&computed.doc), text(&computed.text));
        let (code, what) = self.computed_rule(computed);
        let of = matches!(Kind::of(&computed.ty), Kind::Nested).then(|| {
            let ty = &computed.ty;
            quote!(.of::<#ty>())
        });
        quote!(#rt::layout::field(#name, #ty).text(#doc, #words) #of .unstored() .rules(&[#rt::layout::check(#code, #what)]))
    }

    /// The methods of a type that give its computed values.
    pub(crate) fn computed_methods(&self) -> Option<TokenStream> {
        let all = &self.model.words.computed;
        let methods = all.iter().map(|computed| self.computed_method(computed));
        let name = &self.model.input.ident;
        let (generics, ty_generics, where_clause) = self.model.input.generics.split_for_impl();
        (!all.is_empty()).then(|| {
            quote! {
                #[automatically_derived]
                impl #generics #name #ty_generics #where_clause { #(#methods)* }
            }
        })
    }

    fn computed_method(&self, computed: &Computed) -> TokenStream {
        let (vis, rt, ty) = (&self.model.input.vis, &self.rt, &computed.ty);
        let name = &computed.name;
        let names = computed.expr.names();
        let measures = computed.expr.measures();
        let used = |field: &Ident| {
            names.contains(&field) || measures.iter().any(|(_, name)| *name == field)
        };
        let bindings = self
            .model
            .fields()
            .iter()
            .filter(|field| used(&field.name))
            .map(|field| binding(self, field));
        let counted = measures.iter().filter_map(|(measure, name)| {
            let (_, field) = self.model.field(name)?;
            let value = match measure {
                Measure::Count => count_of(self, field),
                Measure::Tag => {
                    at_type(field, if_present(field, &quote!(#rt::Tagged::tag(__value))))
                }
                _ => if_present(field, &strings::len(self, field)),
            };
            let local = measured(*measure, name);
            Some(quote!(let #local: u64 = #value;))
        });
        let arguments = self.model.parameters().iter().filter(|one| names.contains(&&one.name));
        let (mut parameters, mut given) = (Vec::new(), Vec::new());
        for argument_ in arguments {
            let (name, ty) = (&argument_.name, &argument_.ty);
            parameters.push(quote!(#name: #ty));
            let local = argument(name);
            given.push(quote!(let #local = #name;));
        }
        let call = self.computed_call(computed, Site::Write);
        // One place for all of the head, so that a method of the user by the name is told there.
        let at = Span::call_site().located_at(name.span());
        let (vis, own_rt) = (respanned(vis.to_token_stream(), at), respanned(rt.clone(), at));
        let head = quote_spanned!(at=> fn #name);
        let output = quote_spanned!(at=> -> #own_rt::Option<#ty>);
        let doc = if computed.doc.is_empty() {
            format!("`{}`, which follows from the other fields.", unraw(name))
        } else {
            computed.doc.clone()
        };
        quote! {
            #[doc = #doc]
            #[doc = ""]
            #[doc = "`None` where it cannot be computed or does not fit its type, which no reader accepts."]
            #[must_use]
            #[allow(dead_code, clippy::missing_const_for_fn, reason = "it has the values of the declaration")]
            #vis #head(&self, #(#parameters),*) #output {
                #(#bindings)*
                #(#given)*
                #(#counted)*
                #call
            }
        }
    }
}

/// A computed value as an inspector shows it.
fn rendered(rt: &TokenStream, computed: &Computed) -> TokenStream {
    match Kind::of(&computed.ty) {
        Kind::Text { .. } => quote!(#rt::Value::Str(__computed)),
        Kind::Bytes { .. } => quote!(#rt::Value::Bytes(__computed)),
        _ => {
            let span = Span::call_site().located_at(computed.ty.span());
            quote_spanned!(span=> #rt::Wire::value(__computed))
        }
    }
}
