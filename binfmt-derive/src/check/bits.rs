//! Bit fields: the integer that holds them, their widths and their types.

use syn::Type;

use super::{fields, limits, no_order, overrides};
use crate::attr::{Magic, Word};
use crate::errors::Errors;
use crate::expr::Expr;
use crate::model::{Field, Kind, Model, Numeric, Scalar, Storage};

/// Checks a struct of bit fields.
pub(super) fn check(errors: &mut Errors, model: &Model<'_>) {
    let Some(bits) = &model.words.bits else { return };
    let Some(storage) = Storage::of(&bits.value) else {
        let message = "bit fields lie in an unsigned integer, `bits = u16`, or in up to 32 bytes: `bits = [u8; 12]`";
        errors.add_at(&bits.value, message);
        return;
    };
    if let (Storage::Bytes(_), Some(_)) = (storage, &model.words.flatbuffer) {
        errors.add_at(&bits.value, "bit fields in a table lie in an integer: `bits = u16`");
    }
    if storage.size() > 1 && model.words.order.is_none() && model.words.endian.is_none() {
        let size = u8::try_from(storage.size()).unwrap_or(u8::MAX);
        no_order(errors, &bits.value, "the integer of the bit fields", size, "the type");
    }
    let padded =
        |field: &Field<'_>| field.words.pad_before.is_some() || field.words.pad_after.is_some();
    let several = model.fields().len() > 1 || model.fields().iter().any(padded);
    if model.words.first.is_none() && several {
        errors.add(
            bits.span,
            "say which bits the first field has: `lsb`, the lowest, or `msb`, the highest",
        );
    }
    let mut sum = 0_u32;
    for (index, field) in model.fields().iter().enumerate() {
        let pads = [&field.words.pad_before, &field.words.pad_after];
        let pads = pads.into_iter().flatten().map(|word| padding(errors, word)).sum();
        sum = sum.saturating_add(width(errors, field)).saturating_add(pads);
        limits::check(errors, model, index, field);
        fields::expressions(errors, model, index, field);
    }
    let width = u32::try_from(storage.size()).unwrap_or(0) * 8;
    overrides::check(errors, model);
    if errors.is_empty() && sum != width {
        let hint = width.checked_sub(sum).map_or_else(String::new, |missing| {
            let missing = missing.min(64);
            format!("; bits without a meaning are a field too, which keeps them, or a padding: `pad_after = {missing}`")
        });
        errors.add(
            bits.span,
            format!("the fields have {sum} bits and their integer has {width}{hint}"),
        );
    }
}

/// The width of a padding, with what is wrong with it.
fn padding(errors: &mut Errors, word: &Word<Expr>) -> u32 {
    match &word.value {
        Expr::Int(width @ 1..=64, _) => u32::try_from(*width).unwrap_or(0),
        other => {
            errors.add_range(
                other.ends(),
                "the padding of a bit field is a plain number of bits, 1 to 64",
            );
            0
        }
    }
}

/// The width of a field, with what is wrong with it.
fn width(errors: &mut Errors, field: &Field<'_>) -> u32 {
    let most = match field.kind {
        _ if field.words.magic.is_some() => return constant(errors, field),
        Kind::Scalar(Scalar { numeric: Numeric::Bool, .. }) => 1,
        Kind::Scalar(scalar) if scalar.numeric == Numeric::Unsigned && scalar.is_rust() => {
            u32::from(scalar.size) * 8
        }
        Kind::Nested if is_empty(field.ty) => {
            let message = "bits that are no part of the value are always the same: `magic = 0b101`; those without a meaning are a padding: `pad_after = 3`";
            errors.add_at(field.ty, message);
            return 0;
        }
        Kind::Nested => 64,
        _ => {
            errors.add_at(
                field.ty,
                "a bit field is an unsigned integer, a `bool` or an enum of numbers",
            );
            return 0;
        }
    };
    within(errors, field, most)
}

/// The width of a constant, which has to fit into it.
fn constant(errors: &mut Errors, field: &Field<'_>) -> u32 {
    let Some(magic) = &field.words.magic else { return 0 };
    let Magic::Int(int) = &magic.value else {
        errors.add(magic.span, "the magic of a bit field is a number: `magic = 0x7ff`");
        return 0;
    };
    if !is_empty(field.ty) {
        errors.add_at(field.ty, "bits that are always the same hold nothing: `()`");
    }
    let width = within(errors, field, 64);
    let fits = |number: u64| number.checked_shr(width).is_none_or(|high| high == 0);
    if width > 0 && (!int.suffix().is_empty() || !field.constant_bits().is_some_and(fits)) {
        let message = format!("the magic is a plain number of up to {width} bits");
        errors.add(int.span(), message);
    }
    width
}

fn is_empty(ty: &Type) -> bool {
    matches!(ty, Type::Tuple(tuple) if tuple.elems.is_empty())
}

/// The width that is written, up to `most`.
fn within(errors: &mut Errors, field: &Field<'_>, most: u32) -> u32 {
    let Some(word) = &field.words.width else {
        errors.add_at(&field.member, format!("`{0}` needs its width: `bits = 3`", field.name));
        return 0;
    };
    match word.value.base10_parse() {
        Ok(width @ 1..) if width <= most => width,
        _ => {
            let bits = if most == 1 { "1 bit".to_owned() } else { format!("1 to {most} bits") };
            let message = format!("the width of `{}` is {bits}", field.name);
            errors.add(word.value.span(), message);
            0
        }
    }
}
