//! The static side: sizes that do not depend on a file, and the declaration as data.

use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};
use syn::{LitBool, LitInt};

use super::{Emitter, is_parameter, levels, limits, prefix, rule, strings, text, type_text, unraw};
use crate::attr::{Rule, RuleKind};
use crate::limits::item_rules;
use crate::model::{Body, Field, Kind, Model, Variant, scalar};
use crate::steps::rule_codes;

/// `MIN_SIZE` and `FIXED` of a struct.
pub(crate) fn sizes(emitter: &Emitter<'_>) -> (TokenStream, TokenStream) {
    let model = emitter.model;
    let magic = magic_len(emitter);
    let fields = min_size_of(emitter, 0);
    let fixed = if model.words.len.is_some() || model.words.align_after.is_some() {
        quote!(false)
    } else {
        sizes_before(emitter, model.fields().len()).0
    };
    (quote!(#magic.saturating_add(#fields)), fixed)
}

/// Whether everything before a field has a fixed size, and that size.
pub(crate) fn sizes_before(emitter: &Emitter<'_>, field: usize) -> (TokenStream, TokenStream) {
    let magic = magic_len(emitter);
    let before = || emitter.model.fields().iter().take(field);
    let sizes = before().map(|field| min_size(emitter, field));
    let fixed = all_of(before().map(|field| is_fixed(emitter, field)));
    (fixed, sum_of(std::iter::once(magic).chain(sizes)))
}

/// Whether all of some conditions hold, most of which are known here.
fn all_of(parts: impl Iterator<Item = TokenStream>) -> TokenStream {
    let mut asked = Vec::new();
    for part in parts {
        match syn::parse2::<LitBool>(part.clone()) {
            Ok(known) if known.value => {}
            Ok(_) => return quote!(false),
            Err(_) => asked.push(part),
        }
    }
    if asked.is_empty() { quote!(true) } else { quote!(#(#asked)&&*) }
}

/// The sum of some sizes, most of which are known here.
fn sum_of(parts: impl Iterator<Item = TokenStream>) -> TokenStream {
    let (mut known, mut asked) = (0_usize, Vec::new());
    for part in parts {
        let size = syn::parse2::<LitInt>(part.clone()).and_then(|size| size.base10_parse());
        match size {
            Ok(size) => known = known.saturating_add(size),
            Err(_) => asked.push(part),
        }
    }
    quote!(#known #(.saturating_add(#asked))*)
}

fn magic_len(emitter: &Emitter<'_>) -> TokenStream {
    let magic = emitter.model.words.magic.as_ref();
    let len = magic.map_or(0, |magic| super::magic_len(&magic.value));
    quote!(#len)
}

/// The smallest number of bytes of the fields from `first` on.
pub(crate) fn min_size_of(emitter: &Emitter<'_>, first: usize) -> TokenStream {
    let parts = emitter.model.fields().iter().skip(first).map(|field| min_size(emitter, field));
    sum_of(parts)
}

fn min_size(emitter: &Emitter<'_>, field: &Field<'_>) -> TokenStream {
    let rt = &emitter.rt;
    if field.is_optional() || field.is_located() || field.words.with.is_some() {
        return quote!(0);
    }
    let magic = field.words.magic.as_ref().map_or(0, |magic| super::magic_len(&magic.value));
    let nul = strings::nul_size(field) + prefix::min_size(field) + magic;
    match field.kind {
        Kind::Scalar(scalar) | Kind::Auto(scalar, _) => {
            let size = usize::from(scalar.size).saturating_add(magic);
            quote!(#size)
        }
        Kind::Array(_) | Kind::Nested if nul > 0 => {
            let ty = field.stored();
            quote!(<#ty as #rt::Wire<'_>>::MIN_SIZE.saturating_add(#nul))
        }
        Kind::Array(_) | Kind::Nested => {
            let ty = field.stored();
            quote!(<#ty as #rt::Wire<'_>>::MIN_SIZE)
        }
        Kind::Bytes { .. } | Kind::Text { .. } | Kind::Utf16 | Kind::Seq(_) | Kind::Vec(_) => {
            quote!(#nul)
        }
    }
}

fn is_fixed(emitter: &Emitter<'_>, field: &Field<'_>) -> TokenStream {
    let (rt, words) = (&emitter.rt, &field.words);
    let padded = words.pad_before.is_some() || words.pad_after.is_some() || words.pad_to.is_some();
    let aligned = words.align_before.is_some() || words.align_after.is_some();
    if field.is_optional()
        || field.is_located()
        || words.with.is_some()
        || padded
        || aligned
        || words.len.is_some()
        || words.prefix.is_some()
    {
        return quote!(false);
    }
    match field.kind {
        Kind::Scalar(scalar) | Kind::Auto(scalar, _) => {
            let fixed = !scalar.variable;
            quote!(#fixed)
        }
        Kind::Array(_) | Kind::Nested => {
            let ty = field.stored();
            quote!(<#ty as #rt::Wire<'_>>::FIXED)
        }
        _ => quote!(false),
    }
}

/// Whether reading a value copies nothing and looks through nothing, however long it is.
pub(crate) fn shallow(emitter: &Emitter<'_>) -> TokenStream {
    let rt = &emitter.rt;
    let parts: Vec<TokenStream> = match &emitter.model.body {
        Body::Enum { .. } => Vec::new(),
        Body::Union(_) => vec![quote!(false)],
        Body::Struct(fields) => fields
            .iter()
            .map(|field| match field.kind {
                _ if field.words.with.is_some() => quote!(false),
                Kind::Bytes { owned } => {
                    let free = !owned && !field.looks_for_its_end();
                    quote!(#free)
                }
                Kind::Scalar(_) | Kind::Auto(..) => quote!(true),
                Kind::Array(_) | Kind::Nested => {
                    let ty = field.stored();
                    quote!(<#ty as #rt::Wire<'_>>::SHALLOW)
                }
                _ => quote!(false),
            })
            .collect(),
    };
    all_of(parts.into_iter())
}

/// The declaration as data.
pub(crate) fn layout(emitter: &Emitter<'_>) -> TokenStream {
    let (rt, model) = (&emitter.rt, emitter.model);
    let name = text(&unraw(&model.input.ident));
    let doc = text(&model.doc);
    let words = match &model.body {
        Body::Enum { repr_ty, .. } if model.words.text.is_empty() => format!("repr({repr_ty})"),
        Body::Enum { repr_ty, .. } => format!("repr({repr_ty}), {}", model.words.text),
        _ => model.words.text.clone(),
    };
    let words = text(&words);
    let spec = match &model.words.spec {
        Some(spec) => {
            let spec = &spec.value;
            quote!(::core::option::Option::Some(#spec))
        }
        None => quote!(::core::option::Option::None),
    };
    let (magic, alternatives) = magics(model);
    let (shape, fields) = match &model.body {
        Body::Struct(fields) => (
            quote!(Struct),
            fields.iter().enumerate().map(|field| field_layout(emitter, field)).collect(),
        ),
        Body::Enum { variants, other, .. } => {
            let named = variants.iter().map(|named| {
                let number = named.number.to_token_stream().to_string();
                variant_layout(rt, &unraw(named.ident), None, &named.doc, &number)
            });
            let other = other
                .map(|ident| variant_layout(rt, &unraw(ident), None, "Any other number.", "other"));
            (quote!(Enum), named.chain(other).collect::<Vec<_>>())
        }
        Body::Union(variants) => {
            let all = variants.iter().map(|variant| {
                variant_layout(
                    rt,
                    &unraw(variant.ident),
                    variant.ty,
                    &variant.doc,
                    &variant.words.text,
                )
            });
            (quote!(Union), all.collect())
        }
    };
    let rules = rules(emitter, None, &model.words.rules);
    let levels = levels::table(rt, &model.words);
    quote! {
        &#rt::Layout {
            name: #name,
            doc: #doc,
            words: #words,
            spec: #spec,
            magic: #magic,
            alternatives: #alternatives,
            shape: #rt::Shape::#shape,
            fields: &[#(#fields),*],
            rules: &#rules,
            levels: &#levels,
        }
    }
}

/// The constants that a value begins with one of.
fn magics(model: &Model<'_>) -> (TokenStream, TokenStream) {
    let list = match &model.body {
        Body::Union(variants) => {
            let magic = |variant: &Variant<'_>| {
                super::magic_bytes(model, &variant.words.magic.as_ref()?.value)
            };
            let all: Option<Vec<_>> = variants.iter().map(magic).collect();
            all.unwrap_or_default()
        }
        _ => super::magic::known(model),
    };
    let bytes: Vec<_> = list.iter().map(|bytes| quote!(&[#(#bytes),*])).collect();
    match bytes.as_slice() {
        [] => (quote!(&[]), quote!(&[])),
        [one] => (quote!(#one), quote!(&[])),
        [first, ..] => (quote!(#first), quote!(&[#(#bytes),*])),
    }
}

fn variant_layout(
    rt: &TokenStream,
    name: &str,
    ty: Option<&syn::Type>,
    doc: &str,
    words: &str,
) -> TokenStream {
    let nested = nested(rt, ty.filter(|ty| scalar(ty).is_none()));
    let ty = text(&ty.map(type_text).unwrap_or_default());
    let (name, doc, words) = (text(name), text(doc), text(words));
    quote! {
        #rt::FieldLayout {
            name: #name, ty: #ty, doc: #doc, words: #words,
            offset: ::core::option::Option::None, size: ::core::option::Option::None,
            nested: #nested, rules: &[], levels: &[],
        }
    }
}

/// The layout of a declared type; behind a function, for types may contain themselves.
fn nested(rt: &TokenStream, ty: Option<&syn::Type>) -> TokenStream {
    match ty {
        Some(ty) => quote!(::core::option::Option::Some(|| <#ty as #rt::Wire<'_>>::WIRE)),
        None => quote!(::core::option::Option::None),
    }
}

fn field_layout(emitter: &Emitter<'_>, (index, field): (usize, &Field<'_>)) -> TokenStream {
    let rt = &emitter.rt;
    let name = unraw(&field.name);
    let name =
        text(name.strip_prefix('_').filter(|_| emitter.model.is_transparent()).unwrap_or(&name));
    let (ty, doc, words) = (text(&type_text(field.ty)), text(&field.doc), text(&field.words.text));
    let size = match field.kind {
        Kind::Scalar(scalar) | Kind::Auto(scalar, _)
            if !field.is_optional() && !scalar.variable && field.words.width.is_none() =>
        {
            let size = usize::from(scalar.size);
            quote!(::core::option::Option::Some(#size))
        }
        Kind::Nested if is_parameter(emitter.model, field.ty) => {
            let ty = field.ty;
            quote! {
                if <#ty as #rt::Wire<'_>>::FIXED {
                    ::core::option::Option::Some(<#ty as #rt::Wire<'_>>::MIN_SIZE)
                } else {
                    ::core::option::Option::None
                }
            }
        }
        _ => quote!(::core::option::Option::None),
    };
    let offset = offset(emitter, index, field);
    let one = field.one();
    let nested = match one.kind {
        Kind::Nested if one.words.with.is_none() => Some(one.stored()),
        Kind::Seq(item) | Kind::Vec(item) | Kind::Array(item) => Some(item),
        _ => None,
    };
    let nested = self::nested(rt, nested);
    let rules = rules(emitter, Some(field), &field.words.rules);
    let levels = levels::table(rt, &field.words);
    quote! {
        #rt::FieldLayout {
            name: #name, ty: #ty, doc: #doc, words: #words, offset: #offset, size: #size,
            nested: #nested, rules: &#rules, levels: &#levels,
        }
    }
}

/// Where a field begins, if nothing before it depends on the file.
fn offset(emitter: &Emitter<'_>, index: usize, field: &Field<'_>) -> TokenStream {
    let words = &field.words;
    // All bit fields lie in one integer.
    let index = if emitter.model.words.bits.is_some() { 0 } else { index };
    let first = index == 0 && !field.is_located();
    if (field.is_located() || words.pad_before.is_some() || words.align_before.is_some()) && !first
    {
        return quote!(::core::option::Option::None);
    }
    let (fixed, mut before) = sizes_before(emitter, index);
    if let Some(magic) = &words.magic {
        let magic = super::magic_len(&magic.value);
        before = quote!((#before).saturating_add(#magic));
    }
    match syn::parse2::<LitBool>(fixed.clone()) {
        Ok(fixed) if fixed.value => quote!(::core::option::Option::Some(#before)),
        Ok(_) => quote!(::core::option::Option::None),
        Err(_) => quote! {
            if #fixed { ::core::option::Option::Some(#before) } else { ::core::option::Option::None }
        },
    }
}

pub(super) fn rules(
    emitter: &Emitter<'_>,
    field: Option<&Field<'_>>,
    rules: &[Rule],
) -> TokenStream {
    let rt = &emitter.rt;
    let codes = rule_codes(emitter.model, field, rules);
    let all = rules.iter().zip(codes).map(|(one, code)| {
        let severity = rule::severity(rt, one.kind);
        let stops = one.kind == RuleKind::Check;
        let text = &one.text;
        quote!(#rt::RuleLayout { code: #code, severity: #severity, stops: #stops, text: #text })
    });
    let items = field.map(|field| item_rules(&field.words.limits)).unwrap_or_default();
    let items = items.iter().filter_map(|one| {
        let code = limits::code(emitter, field?, one);
        let text = text(&one.text);
        let weight = levels::of_items(rt, field?, one);
        Some(quote!(#rt::RuleLayout { code: #code, severity: #weight, stops: false, text: #text }))
    });
    let all = all.chain(items);
    quote!([#(#all),*])
}
