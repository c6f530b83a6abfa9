//! The arguments that values are given: their byte order, or what `args` passes.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens as _, quote, quote_spanned};
use syn::{Data, Fields, Ident, Lifetime, Type, WherePredicate, parse_quote};

use super::previous::bound_given;
use super::{Emitter, Site, flat, order, skip, text, unraw};
use crate::attr::Args;
use crate::expr::{Expr, OR};
use crate::model::{
    Body, ByteOrder, Field, Kind, Model, Variant, encoded, parameter, parts, scalar, type_argument,
    type_text, widest,
};
use crate::tokens::{borrowing, mention, respanned};

/// What a value is passed where it stands.
struct Passing<'t> {
    /// The byte order there, if it is known.
    order: Option<TokenStream>,
    args: Option<&'t Args>,
    codec: Option<&'t Expr>,
    /// Whether coded bytes end where the codec says.
    ends: bool,
    site: Site,
    /// Whether it is the first item of several.
    first: bool,
}

/// The type of an argument: a text or bytes without a lifetime, as a type that has none says it, get one.
pub(super) fn with_lifetime(ty: &Type, lifetime: &Lifetime) -> Type {
    let mut ty = ty.clone();
    if let Type::Reference(reference) = &mut ty {
        reference.lifetime.get_or_insert_with(|| lifetime.clone());
    }
    ty
}

impl Emitter<'_> {
    /// The byte order of a field as a value.
    pub(crate) fn order(&self, field: &Field<'_>) -> TokenStream {
        self.known_order(field).unwrap_or_else(|| order(&self.rt, None))
    }

    fn known_order(&self, field: &Field<'_>) -> Option<TokenStream> {
        Some(match field.order(self.model)? {
            ByteOrder::Fixed(fixed) => order(&self.rt, Some(fixed)),
            ByteOrder::Dynamic => quote!(__order),
        })
    }

    /// The arguments that a field's type, or that of its items, is given.
    pub(crate) fn field_args(&self, field: &Field<'_>, site: Site) -> TokenStream {
        let ty = match field.kind {
            Kind::Seq(item) | Kind::Vec(item) | Kind::Array(item) => item,
            _ => field.inner,
        };
        if let Some(root) = &field.words.root {
            return flat::root(self, &root.value, site);
        }
        self.stored_args(ty, field, site)
    }

    /// The arguments of a type that is stored where a field stands.
    pub(super) fn stored_args(&self, ty: &Type, field: &Field<'_>, site: Site) -> TokenStream {
        // Beside a `map` they are for its functions.
        let args = field.words.args.as_ref().filter(|_| field.words.map.is_none());
        let args = args.map(|word| &word.value);
        let codec = field.words.codec.as_ref().map(|codec| &codec.value);
        let ends = field.words.until_codec.is_some();
        let order = self.known_order(field);
        self.args_of(ty, &Passing { order, args, codec, ends, site, first: true })
    }

    /// The arguments of items as a closure over the item before, the place and the observer.
    pub(super) fn previous_args(&self, field: &Field<'_>, site: Site) -> TokenStream {
        let (Kind::Vec(item) | Kind::Seq(item)) = field.kind else { return TokenStream::new() };
        let args = field.words.args.as_ref().map(|word| &word.value);
        let codec = field.words.codec.as_ref().map(|codec| &codec.value);
        let passed = |first| {
            let order = self.known_order(field);
            self.args_of(item, &Passing { order, args, codec, ends: false, site, first })
        };
        let (first, next) = (passed(true), passed(false));
        let place = match site {
            Site::Walk => quote!(__cur, __obs),
            Site::Write => quote!(__out),
        };
        let (rt, given) = (&self.rt, bound_given(field));
        let before = quote!((&#item, <#item as #rt::Wire<'_>>::Args));
        quote!(|__previous: __rt::Option<#before>, #place| __rt::Ok(match __previous {
            __rt::None => #first,
            __rt::Some((__previous, __before)) => { #given #next }
        }))
    }

    /// The arguments that the value of a variant is given.
    pub(super) fn variant_args(&self, variant: &Variant<'_>, site: Site) -> TokenStream {
        let Some(ty) = variant.ty else { return quote!(()) };
        let words = &self.model.words;
        let order = match (&words.order, site) {
            (Some(word), _) => Some(order(&self.rt, Some(word.value))),
            (None, _) if words.endian.is_none() => None,
            (None, Site::Write) => Some(quote!(__out.order)),
            (None, _) => Some(quote!(__cur.order)),
        };
        let args = variant.words.args.as_ref().map(|args| &args.value);
        let codec = variant.words.codec.as_ref().map(|codec| &codec.value);
        let ends = variant.words.until_codec.is_some();
        self.args_of(ty, &Passing { order, args, codec, ends, site, first: true })
    }

    /// The arguments of one type: for numbers their order, for tuples those of each value.
    fn args_of(&self, ty: &Type, passing: &Passing<'_>) -> TokenStream {
        let rt = &self.rt;
        if scalar(ty).is_some() {
            return passing.order.clone().unwrap_or_else(|| order(rt, None));
        }
        if let Some(parameter) = parameter(self.model, ty) {
            return match &passing.order {
                Some(order) if has_order(self.model, parameter) => {
                    quote!(<#ty as #rt::Parameter<'_>>::args(#order))
                }
                _ => quote!(<#ty as #rt::Unordered<'_>>::args()),
            };
        }
        match ty {
            Type::Array(array) => return self.args_of(&array.elem, passing),
            Type::Tuple(tuple) => {
                let args = tuple.elems.iter().map(|part| self.args_of(part, passing));
                return quote!((#(#args,)*));
            }
            _ => {}
        }
        if let Some((codec, inner)) = encoded(ty) {
            let (codec, args) = (self.codec(codec, passing), self.args_of(inner, passing));
            return quote!((#codec, #args));
        }
        match parts(ty).as_deref() {
            Some([inner]) if widest(inner).is_some() || parameter(self.model, inner).is_some() => {
                self.args_of(inner, passing)
            }
            _ => self.passed_args(ty, passing),
        }
    }

    /// The codec of a value in coded bytes, which ends by itself where it has to.
    fn codec(&self, ty: &Type, passing: &Passing<'_>) -> TokenStream {
        let (rt, codec) = (&self.rt, self.given_codec(ty, passing));
        if passing.ends { quote!(#rt::encoded::ends_itself::<#ty>(#codec)) } else { codec }
    }

    /// The one that is given, else the default of its type.
    fn given_codec(&self, ty: &Type, passing: &Passing<'_>) -> TokenStream {
        let Some(codec) = passing.codec else {
            let rt = &self.rt;
            return quote!(#rt::encoded::codec::<#ty>());
        };
        let codec = self.passed(&quote!(#ty), &[codec], passing.site);
        self.or_fault(&codec, passing.site)
    }

    /// The arguments for a declared type: those that are passed, by name, else its defaults.
    fn passed_args(&self, ty: &Type, passing: &Passing<'_>) -> TokenStream {
        let (rt, site, order) = (&self.rt, passing.site, &passing.order);
        let Some(Args::Passed(list)) = passing.args else {
            return match order {
                Some(order) => quote!(<#ty as #rt::Ordered<'_>>::in_order(#order)),
                None => quote!(<#ty as #rt::DefaultArgs<'_>>::default_args()),
            };
        };
        let same_names = self.same_names(ty, list);
        let exprs = list.iter().map(|(_, expr)| match expr {
            Expr::Builtin(or, parts) if or == OR => {
                if passing.first { parts.last() } else { parts.first() }.unwrap_or(expr)
            }
            expr => expr,
        });
        let exprs: Vec<&Expr> = exprs.collect();
        let values = self.passed(&quote!(<#ty as #rt::Wire<'_>>::Args), &exprs, site);
        let values = self.or_fault(&values, site);
        quote! {{
            #same_names
            #values
        }}
    }

    /// Compares the names of arguments when the program is compiled, for only the compiler knows the type: even where
    /// nothing is built, unless the type follows from a parameter.
    pub(super) fn same_names(&self, ty: &Type, list: &[(Ident, Expr)]) -> TokenStream {
        let rt = &self.rt;
        let names = list.iter().map(|(name, _)| text(&unraw(name)));
        let of = type_text(ty);
        let span = list.first().map_or_else(Span::call_site, |(name, _)| name.span());
        let span = span.resolved_at(Span::call_site());
        let (names, lifetime) = (quote!(&[#(#names),*]), parse_quote!('static));
        let own = borrowing(ty.to_token_stream(), &lifetime);
        let generics = &self.model.input.generics;
        let depends = generics.type_params().next().is_some()
            || generics.const_params().next().is_some()
            || mention(own.clone(), "Self");
        if depends {
            return quote_spanned! {span=>
                const { #rt::ops::same_names(#of, <#ty as #rt::Wire<'_>>::PARAMETERS, #names) };
            };
        }
        let look =
            quote!(#rt::ops::same_names(#of, <#own as #rt::Wire<'static>>::PARAMETERS, #names));
        let look = respanned(look, span);
        self.looked_at.borrow_mut().insert(look.to_string(), look);
        TokenStream::new()
    }

    /// What cannot be computed stops the reader or the writer.
    pub(super) fn or_fault(&self, value: &TokenStream, site: Site) -> TokenStream {
        let rt = &self.rt;
        match site {
            Site::Write => quote!(#rt::write::arguments(__out, #value)?),
            Site::Walk => quote!(#rt::walk::arguments(__cur, __obs, #value)?),
        }
    }

    /// What a type parameter must be: anything that takes a byte order, where there is one.
    pub(super) fn parameter_bound(&self, parameter: &Ident) -> WherePredicate {
        let (rt, lifetime) = (&self.rt, &self.lifetime);
        let bound = if has_order(self.model, parameter) { "Parameter" } else { "Unordered" };
        let bound = Ident::new(bound, parameter.span());
        if types(&self.model.input.data).any(|ty| decodes(ty, parameter)) {
            // Decoded bytes live as long as no file does.
            parse_quote!(#parameter: for<'__decoded> #rt::#bound<'__decoded>)
        } else {
            parse_quote!(#parameter: #rt::#bound<#lifetime>)
        }
    }
}

/// Whether values of a type parameter are read from decoded bytes.
fn decodes(ty: &Type, parameter: &Ident) -> bool {
    if let Some((_, inner)) = encoded(ty) {
        return skip::mentions(inner, parameter);
    }
    match ty {
        Type::Tuple(tuple) => tuple.elems.iter().any(|ty| decodes(ty, parameter)),
        Type::Array(array) => decodes(&array.elem, parameter),
        Type::Path(path) => {
            let last = path.path.segments.last();
            let inner = last.and_then(|last| type_argument(&last.arguments));
            inner.is_some_and(|inner| decodes(inner, parameter))
        }
        _ => false,
    }
}

/// The types of all fields, those of variants too.
fn types(data: &Data) -> impl Iterator<Item = &Type> {
    let fields: Vec<&Fields> = match data {
        Data::Struct(data) => vec![&data.fields],
        Data::Enum(data) => data.variants.iter().map(|variant| &variant.fields).collect(),
        Data::Union(_) => Vec::new(),
    };
    fields.into_iter().flatten().map(|field| &field.ty)
}

/// Whether a byte order is known wherever values of a type parameter are.
fn has_order(model: &Model<'_>, parameter: &Ident) -> bool {
    match &model.body {
        Body::Struct(fields) => {
            let mut of_it = fields.iter().filter(|field| skip::mentions(field.ty, parameter));
            of_it.all(|field| field.order(model).is_some())
        }
        _ => model.words.order.is_some() || model.inherits(),
    }
}
