//! Enums: numbers with names, and shapes.

use syn::{Attribute, DeriveInput, Fields, Ident, Type};

use super::read::doc;
use super::{Body, Named, Scalar, Variant};
use crate::attr::{self, Form, Place};
use crate::errors::Errors;

/// Reads an enum: named numbers, or shapes.
pub(super) fn enumeration<'s>(
    errors: &mut Errors,
    input: &'s DeriveInput,
    data: &'s syn::DataEnum,
) -> Option<Body<'s>> {
    for field in data.variants.iter().flat_map(|variant| &variant.fields) {
        attr::refuse(
            errors,
            &field.attrs,
            "the value of a variant takes no words; put them on its type",
        );
    }
    let reprs = reprs(&input.attrs);
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
        let words = attr::read(errors, Place::Variant, &variant.attrs);
        let keeps = words.other.is_some() || words.id.as_ref().is_some_and(|id| id.value.several());
        let (kept, ty) = match (keeps, types(&variant.fields).as_deref()) {
            (_, Some([])) => (None, None),
            (true, Some([kept])) => (Some(*kept), None),
            (true, Some([kept, ty])) => (Some(*kept), Some(*ty)),
            (false, Some([ty])) => (None, Some(*ty)),
            (true, _) => {
                errors.add_at(
                    &variant.fields,
                    "this variant holds the tag and one declared type: `Name(u32, Type)`",
                );
                (None, None)
            }
            (false, _) => {
                errors.add_at(&variant.fields, "a variant holds one declared type: `Name(Type)`");
                (None, None)
            }
        };
        Variant { ident: &variant.ident, ty, kept, words, doc: doc(&variant.attrs) }
    });
    Some(Body::Union(variants.collect()))
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
    let (mut variants, mut other, mut implicit) = (Vec::new(), None, Vec::new());
    for variant in &data.variants {
        let words = attr::read(errors, Place::Variant, &variant.attrs);
        for (word, _) in words.rows().filter(|(_, row)| !row.forms.contains(&Form::Numbers)) {
            let message = format!("`{word}` has no meaning in an enum of numbers; remove it");
            errors.add(word.span(), message);
        }
        if let Some(word) = &words.other {
            if !keeps(&variant.fields, &repr_ty) {
                errors.add(
                    word.span,
                    format!("the `other` variant keeps the number: `{}({repr_ty})`", variant.ident),
                );
            }
            if let Some((_, number)) = &variant.discriminant {
                errors.add_at(
                    number,
                    "the `other` variant has no number of its own; remove this one",
                );
            }
            if other.replace(&variant.ident).is_some() {
                errors.add(word.span, "duplicate `other`; keep one");
            }
            continue;
        }
        if !matches!(variant.fields, Fields::Unit) {
            errors.add_at(
                &variant.fields,
                "only the `other` variant of an enum of numbers holds a value",
            );
        }
        match &variant.discriminant {
            Some((_, number)) => {
                variants.push(Named { ident: &variant.ident, number, doc: doc(&variant.attrs) });
            }
            None => implicit.push(&variant.ident),
        }
    }
    if implicit.is_empty() {
        number_of_other(errors, repr, data);
    }
    if let [first, rest @ ..] = implicit.as_slice() {
        let all = match rest {
            [] => String::new(),
            rest => format!(", and so do {} more", rest.len()),
        };
        errors.add(first.span(), format!("`{first}` needs its number: `{first} = ..`{all}"));
    }
    Body::Enum { repr, repr_ty, variants, other }
}

/// The compiler gives the `other` variant the number behind that of the variant before it, which no
/// other one may have.
fn number_of_other(errors: &mut Errors, repr: Scalar, data: &syn::DataEnum) {
    let number = |variant: &syn::Variant| match &variant.discriminant.as_ref()?.1 {
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(int), .. }) => {
            int.base10_parse::<u64>().ok()
        }
        _ => None,
    };
    let variants: Vec<&syn::Variant> = data.variants.iter().collect();
    let Some(at) = variants.iter().position(|variant| variant.discriminant.is_none()) else {
        return;
    };
    let (Some(other), before) =
        (variants.get(at), at.checked_sub(1).and_then(|before| variants.get(before)))
    else {
        return;
    };
    let name = &other.ident;
    let how = "put it behind a variant whose next number is free";
    let given = match before {
        None => 0,
        Some(before) => match number(before) {
            Some(number) => number.wrapping_add(1),
            None => return,
        },
    };
    let bits = u32::from(repr.size).saturating_mul(8);
    if given.checked_shr(bits).is_some_and(|high| high != 0) || (given == 0 && at > 0) {
        errors.add(name.span(), format!("the compiler has no number for `{name}` here; {how}"));
    } else if let Some(same) = variants.iter().find(|variant| number(variant) == Some(given)) {
        let taken = &same.ident;
        errors.add(
            name.span(),
            format!("the compiler gives `{name}` the number {given}, which `{taken}` has; {how}"),
        );
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
