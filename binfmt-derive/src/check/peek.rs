//! `peek`: the magics of variants stand inside the values, and are read with them.

use super::refuse;
use crate::errors::Errors;
use crate::model::{Model, Variant};

pub(super) fn check(errors: &mut Errors, model: &Model<'_>, variants: &[Variant<'_>]) {
    let apart = model.words.probe.is_some() || model.words.tag.is_some();
    let Some(peek) = model.words.peek.as_ref().filter(|_| !apart) else { return };
    let plain = peek.value.suffix().is_empty();
    if !plain || peek.value.base10_parse::<u16>().is_err() {
        errors.add(peek.value.span(), "this is a plain number of bytes: `peek = 8`");
    }
    if variants.iter().all(|variant| variant.words.magic_span().is_none()) {
        let why = "looks for magics, and no variant has one; add `magic = b\"ABCD\"` to a variant";
        refuse(errors, Some(peek.span), "peek", why);
    }
    for variant in variants {
        if let (Some(magic), None) = (variant.words.magic_span(), variant.ty) {
            let name = variant.ident;
            errors.add(
                magic,
                format!("with `peek` the magic is a part of the value; give the variant a type that reads it: `{name}(Type)`"),
            );
        }
    }
}
