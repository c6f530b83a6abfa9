//! Enums: numbers with names, and shapes.

use syn::{Attribute, DeriveInput, Fields, Ident, Type};

use super::read::doc;
use super::{Body, Kept, Kind, Model, Named, Scalar, Variant, is_byte};
use crate::attr::{self, Form, Place, Words};
use crate::errors::Errors;
use crate::expr::Expr;

/// Reads an enum: named numbers, or shapes.
pub(super) fn enumeration<'s>(
    errors: &mut Errors,
    input: &'s DeriveInput,
    data: &'s syn::DataEnum,
    whole: &Words,
) -> Option<Body<'s>> {
    let reprs = reprs(&input.attrs);
    refuse_words(errors, data, reprs.is_empty().then_some(whole));
    if let Some(wide) = reprs
        .iter()
        .find(|name| ["usize", "isize", "u128", "i128"].iter().any(|wide| *name == wide))
    {
        errors.add(
            wide.span(),
            format!("`{wide}` cannot be stored; use a type of 8 to 64 bits: `#[repr(u32)]`"),
        );
        return None;
    }
    if let Some((repr, repr_ty)) =
        reprs.iter().find_map(|name| integer(name).map(|scalar| (scalar, name.clone())))
    {
        return Some(named_numbers(errors, repr, repr_ty, data));
    }
    if data.variants.iter().any(|variant| variant.discriminant.is_some()) {
        errors.add(input.ident.span(), "an enum of numbers needs their type: `#[repr(u16)]`");
        return None;
    }
    if data.variants.is_empty() {
        errors.add(input.ident.span(), "an enum without variants has no value to read");
        return None;
    }
    let variants = data.variants.iter().map(|variant| {
        let words = variant_words(errors, variant);
        let (kept, ty) = match (words.keep_a_tag(whole), types(&variant.fields).as_deref()) {
            (_, Some([])) if matches!(variant.fields, Fields::Unit) => (None, None),
            (true, Some([kept])) => (Some(*kept), None),
            (true, Some([kept, ty])) => (Some(*kept), Some(*ty)),
            (false, Some([ty])) => (None, Some(*ty)),
            (true, None | Some([_, _, ..])) => {
                errors.add_at(
                    &variant.fields,
                    "this variant keeps the tag or the magic that is there, in front and without a name: `Name(u32, Type)`",
                );
                (None, None)
            }
            (_, _) => {
                errors.add_at(&variant.fields, "a variant that holds nothing is its name alone: `Name`");
                (None, None)
            }
        };
        Variant { ident: &variant.ident, ty, kept, part: None, words, doc: doc(&variant.attrs) }
    });
    Some(Body::Union(variants.collect()))
}

/// Refuses words on what variants hold: on the tag that is kept, where they are shapes of an enum with
/// those words, or on a value whose type says all.
fn refuse_words(errors: &mut Errors, data: &syn::DataEnum, shapes: Option<&Words>) {
    for variant in &data.variants {
        let words = variant_words(&mut Errors::default(), variant);
        let keeps = shapes.is_some_and(|whole| words.keep_a_tag(whole));
        let message = if keeps {
            "this is the tag or the magic that the variant keeps, which takes no words; the value stands behind it: `Name(u32, Type)`"
        } else {
            "this value takes no words; put them on its type"
        };
        for field in &variant.fields {
            attr::refuse(errors, &field.attrs, message);
        }
    }
}

fn variant_words(errors: &mut Errors, variant: &syn::Variant) -> Words {
    attr::read(errors, Place::Variant, &variant.attrs)
}

/// What the tag of an enum is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum TagSort {
    Number,
    Bytes,
    Text,
    /// Several of these.
    Parts,
}

impl Model<'_> {
    /// What the tag is: a number, unless it is an argument that holds bytes or a text.
    pub(crate) fn tag_sort(&self) -> TagSort {
        match self.words.tag.as_ref().map(|tag| &tag.value) {
            Some(tag) if tag.tuple => TagSort::Parts,
            tag => tag.and_then(|tag| tag.one()).map_or(TagSort::Number, |tag| self.sort_of(tag)),
        }
    }

    /// What a tag is, or a part of one.
    pub(crate) fn sort_of(&self, tag: &Expr) -> TagSort {
        match self.tag_type(tag).map(Kind::of) {
            Some(Kind::Bytes { .. }) => TagSort::Bytes,
            Some(Kind::Array(item)) if is_byte(item) => TagSort::Bytes,
            Some(Kind::Text { .. }) => TagSort::Text,
            _ => TagSort::Number,
        }
    }

    /// The type of the argument that a tag is, or a part of one.
    pub(crate) fn tag_type(&self, tag: &Expr) -> Option<&Type> {
        let Expr::Name(name) = tag else { return None };
        let parameter = self.parameters().iter().find(|parameter| parameter.name == *name)?;
        Some(&parameter.ty)
    }
}

/// The types that a variant holds; `None` if they have names.
fn types(fields: &Fields) -> Option<Vec<&Type>> {
    match fields {
        Fields::Unit => Some(Vec::new()),
        Fields::Unnamed(fields) => Some(fields.unnamed.iter().map(|field| &field.ty).collect()),
        Fields::Named(_) => None,
    }
}

fn named_numbers<'s>(
    errors: &mut Errors,
    repr: Scalar,
    repr_ty: Ident,
    data: &'s syn::DataEnum,
) -> Body<'s> {
    let (mut variants, mut kept, mut other) = (Vec::new(), Vec::new(), None);
    // The number of the last variant that says it, and how many variants there are behind that.
    let (mut last, mut behind): (Option<&syn::Expr>, u64) = (None, 0);
    let mut follows_kept = None;
    for variant in &data.variants {
        let words = attr::read(errors, Place::Variant, &variant.attrs);
        for (word, _) in words.rows().filter(|(_, row)| !row.forms.contains(&Form::Numbers)) {
            let message = if *word == "magic" {
                let name = &variant.ident;
                format!(
                    "in an enum of numbers a variant is one: `{name} = 1`; values that each begin with a `magic` are an enum without `#[repr({repr_ty})]`"
                )
            } else {
                format!("`{word}` has no meaning in an enum of numbers; remove it")
            };
            errors.add(word.span(), message);
        }
        if words.other.is_some() || words.id.is_some() {
            keeper(errors, variant, &words, &repr_ty);
            if let Some(word) = &words.other
                && other.replace(&variant.ident).is_some()
            {
                errors.add(word.span, "duplicate `other`; keep one");
            }
            follows_kept = Some(&variant.ident);
            if words.id.is_some() {
                kept.push(Kept { ident: &variant.ident, words, doc: doc(&variant.attrs) });
            }
            continue;
        }
        // An `id` that cannot be read has been told of.
        if !matches!(variant.fields, Fields::Unit) && words.given("id").is_none() {
            errors.add_at(
                &variant.fields,
                "this variant holds a number, so it says which: `id = 5..=9`, or `other` for all that have no name",
            );
        }
        match (&variant.discriminant, follows_kept) {
            (Some((_, number)), _) => (last, behind, follows_kept) = (Some(number), 0, None),
            (None, Some(kept)) => {
                let name = &variant.ident;
                errors.add(
                    name.span(),
                    format!("`{name}` needs its number, `{name} = ..`, or a place in front of `{kept}`, which has several"),
                );
            }
            (None, None) => behind = behind.saturating_add(u64::from(!variants.is_empty())),
        }
        let number = number_behind(last, behind);
        variants.push(Named { ident: &variant.ident, number, doc: doc(&variant.attrs) });
    }
    numbers_of_keepers(errors, repr, data);
    Body::Enum { repr, repr_ty, variants, kept, other }
}

/// Checks a variant that keeps its number.
fn keeper(errors: &mut Errors, variant: &syn::Variant, words: &Words, repr_ty: &Ident) {
    let name = &variant.ident;
    let word = words.names.iter().find(|word| *word == "other" || *word == "id");
    let (word, span) =
        word.map_or(("other".into(), name.span()), |word| (word.to_string(), word.span()));
    if !keeps(&variant.fields, repr_ty) {
        let message = match word.as_str() {
            "other" => format!("the `other` variant keeps the number: `{name}({repr_ty})`"),
            _ => format!(
                "a variant with `id` keeps the number: `{name}({repr_ty})`; one with a single number says `{name} = 3`"
            ),
        };
        errors.add(span, message);
    }
    if let Some((_, number)) = &variant.discriminant {
        let message = match word.as_str() {
            "other" => "the `other` variant has no number of its own; remove this one",
            _ => "the variant has the numbers of its `id`; remove this one",
        };
        errors.add_at(number, message);
    }
}

/// The number so many variants behind one that says its number, or behind the first, which is 0.
fn number_behind(last: Option<&syn::Expr>, behind: u64) -> syn::Expr {
    use syn::{ExprUnary, UnOp, parse_quote};
    let literal = |number: u64| proc_macro2::Literal::u64_unsuffixed(number);
    let value = |expr: &syn::Expr| match expr {
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(int), .. }) => {
            int.base10_parse::<u64>().ok()
        }
        _ => None,
    };
    let Some(last) = last else {
        let number = literal(behind);
        return parse_quote!(#number);
    };
    let sum = match last {
        _ if behind == 0 => return last.clone(),
        syn::Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr, .. }) => {
            match value(expr).and_then(|number| number.checked_sub(behind)) {
                Some(number) => {
                    let number = literal(number);
                    return parse_quote!(-#number);
                }
                None => None,
            }
        }
        last => value(last).and_then(|number| number.checked_add(behind)),
    };
    let behind = literal(behind);
    match sum.map(literal) {
        Some(sum) => parse_quote!(#sum),
        None => parse_quote!((#last) + #behind),
    }
}

/// The compiler gives a variant that keeps its number the one behind that of the variant before it,
/// which no other one may have.
fn numbers_of_keepers(errors: &mut Errors, repr: Scalar, data: &syn::DataEnum) {
    let given = |variant: &syn::Variant| match &variant.discriminant {
        Some((_, syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(int), .. }))) => {
            Some(int.base10_parse::<u64>().ok())
        }
        Some(_) => Some(None),
        None => None,
    };
    // The number of every variant, as far as it is known.
    let mut next = Some(0_u64);
    let mut numbers: Vec<(&syn::Variant, Option<u64>)> = Vec::new();
    for variant in &data.variants {
        let number = given(variant).unwrap_or(next);
        numbers.push((variant, number));
        next = number.map(|number| number.wrapping_add(1));
    }
    let bits = u32::from(repr.size).saturating_mul(8);
    let how = "put it behind a variant whose next number is free";
    for (index, (variant, number)) in numbers.iter().enumerate() {
        let Some(number) = number else { continue };
        let name = &variant.ident;
        if variant.discriminant.is_some() || matches!(variant.fields, Fields::Unit) {
            continue;
        }
        if number.checked_shr(bits).is_some_and(|high| high != 0) || (*number == 0 && index > 0) {
            errors.add(name.span(), format!("the compiler has no number for `{name}` here; {how}"));
        } else if let Some((same, _)) = numbers
            .iter()
            .enumerate()
            .find(|(other, (_, same))| *other != index && *same == Some(*number))
            .map(|(_, same)| same)
        {
            let taken = &same.ident;
            errors.add(
                name.span(),
                format!(
                    "the compiler gives `{name}` the number {number}, which `{taken}` has; {how}"
                ),
            );
        }
    }
}

/// Whether a variant holds exactly one number of that type.
fn keeps(fields: &Fields, repr_ty: &Ident) -> bool {
    let Fields::Unnamed(fields) = fields else { return false };
    fields.unnamed.len() == 1
        && fields
            .unnamed
            .iter()
            .all(|field| matches!(&field.ty, Type::Path(path) if path.path.is_ident(repr_ty)))
}

/// The words of all `#[repr(..)]`.
fn reprs(attrs: &[Attribute]) -> Vec<Ident> {
    let mut names = Vec::new();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("repr")) {
        // What is wrong with a `repr` is for the compiler to say.
        let _ = attr.parse_nested_meta(|meta| {
            names.extend(meta.path.get_ident().cloned());
            if meta.input.peek(syn::token::Paren) {
                let inner;
                syn::parenthesized!(inner in meta.input);
                inner.parse::<proc_macro2::TokenStream>()?;
            }
            Ok(())
        });
    }
    names
}

/// The integer type of that name.
fn integer(name: &Ident) -> Option<Scalar> {
    Scalar::named(&name.to_string()).filter(|scalar| scalar.is_int())
}
