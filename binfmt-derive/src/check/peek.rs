//! `peek`: the magics of variants stand inside the values, and are read with them.

use proc_macro2::Span;

use super::{refuse, span};
use crate::errors::Errors;
use crate::model::{Model, Variant};

pub(super) fn check(errors: &mut Errors, model: &Model<'_>, variants: &[Variant<'_>]) {
    let apart = model.words.probe.is_some() || model.words.tag.is_some();
    let Some(peek) = model.words.peek.as_ref().filter(|_| !apart) else { return };
    let plain = peek.value.suffix().is_empty();
    if !plain || peek.value.base10_parse::<u16>().is_err() {
        errors.add(peek.value.span(), "this is a plain number of bytes: `peek = 8`");
    }
    if variants.iter().all(|variant| magic_of(variant).is_none()) {
        let why = "looks for magics, and no variant has one; add `magic = b\"ABCD\"` to a variant";
        refuse(errors, Some(peek.span), "peek", why);
    }
    for variant in variants {
        if let (Some(magic), None) = (magic_of(variant), variant.ty) {
            let name = variant.ident;
            errors.add(
                magic,
                format!("with `peek` the magic is a part of the value; give the variant a type that reads it: `{name}(Type)`"),
            );
        }
    }
}

/// Where the magic of a variant is given, or several of them.
fn magic_of(variant: &Variant<'_>) -> Option<Span> {
    span(&variant.words.magic).or_else(|| span(&variant.words.magics))
}
