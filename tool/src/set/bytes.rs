//! Values as the bytes that a field stores.

use std::ops::Range;

use binfmt_runtime::{NodeValue, Shape};

use crate::bits::Bits;
use crate::snapshot::{Field, wide_texts};

/// The value that a field is to have.
#[derive(Debug)]
pub(super) enum Wanted {
    /// As it was typed.
    Text(String),
    /// What a file holds.
    Bytes(Vec<u8>),
}

/// The bytes of a field: those of its value, or all that it takes.
pub(super) fn of<'f>(file: &'f [u8], field: &Field) -> Option<&'f [u8]> {
    file.get(range(field)?)
}

pub(super) fn range(field: &Field) -> Option<Range<usize>> {
    let whole = || Some(usize::try_from(field.start).ok()?..usize::try_from(field.end).ok()?);
    field.bytes.clone().or_else(whole)
}

/// What the field may store for a value: a number has one for each byte order.
pub(super) fn encodings(
    field: &Field,
    old: &[u8],
    wanted: &Wanted,
) -> Result<Vec<Vec<u8>>, String> {
    let text = match wanted {
        Wanted::Bytes(bytes) => return Ok(vec![bytes.clone()]),
        Wanted::Text(text) => text.as_str(),
    };
    if let Some(number) = number(field, text)? {
        return stored(field, number, old);
    }
    match &field.value {
        Some(NodeValue::Float(_)) => float(text, old.len()),
        Some(NodeValue::Str(_)) if field.is_wide => Ok(wide_texts(text).to_vec()),
        Some(NodeValue::Str(_)) => Ok(vec![text.as_bytes().to_vec()]),
        Some(NodeValue::Bytes { .. }) => Ok(vec![hexadecimal(text)?]),
        Some(NodeValue::Absent) => Err("it is not there, and would change the shape".to_owned()),
        None => Err("it is damaged".to_owned()),
        Some(_) => Err("it has fields of its own; set one of them".to_owned()),
    }
}

/// The number that a text says, for a field that is one.
fn number(field: &Field, text: &str) -> Result<Option<i128>, String> {
    Ok(Some(match &field.value {
        Some(NodeValue::Uint(_) | NodeValue::Flags { .. }) => unsigned(text)?,
        Some(NodeValue::Int(_)) => text.parse().map_err(|_| no_number(text))?,
        Some(NodeValue::Enum { .. }) => named(field, text)?,
        Some(NodeValue::Bool(_)) => match text {
            "true" | "1" => 1,
            "false" | "0" => 0,
            _ => return Err(format!("`{text}` is neither `true` nor `false`")),
        },
        _ => return Ok(None),
    }))
}

/// What a field that is a number may store for one: its bits are put among the others.
pub(super) fn stored(field: &Field, number: i128, old: &[u8]) -> Result<Vec<Vec<u8>>, String> {
    match field.bits {
        Some(bits) => in_bits(number, bits, old),
        None if field.is_coded => Ok(coded(number, old)),
        None => {
            let is_signed = matches!(field.value, Some(NodeValue::Int(_)));
            let stored = integer(number, old.len())?;
            // What has the sign of a number below 0 is none above.
            let is_negative = stored.first().and_then(|little| little.last()) >= Some(&0x80);
            if is_signed && number >= 0 && is_negative {
                return Err(unfitting(number, old.len()));
            }
            Ok(stored)
        }
    }
}

fn unfitting(number: i128, size: usize) -> String {
    let bytes = if size == 1 { "byte" } else { "bytes" };
    format!("{number} does not fit in {size} {bytes}")
}

/// How many forms such a number may have.
pub(super) const FORMS: usize = 4 + 6 * 3;

/// The forms that a number of its own form may have: whoever reads it knows which one it is.
fn coded(number: i128, old: &[u8]) -> Vec<Vec<u8>> {
    let mut forms = integer(number, old.len()).unwrap_or_default();
    let Ok(number) = u64::try_from(number) else { return forms };
    forms.extend(groups(number));
    forms.extend(digits(number, old));
    forms
}

/// Seven bits in a byte, the lowest first or the highest first, of which the last one has no mark.
fn groups(number: u64) -> [Vec<u8>; 2] {
    let count = (u64::BITS - number.leading_zeros()).div_ceil(7).max(1);
    let group = |at: u32| (number >> (7 * at) & 0x7f).to_le_bytes().first().copied().unwrap_or(0);
    let marked = |at: u32, group| if at + 1 < count { group | 0x80 } else { group };
    [
        (0..count).map(|at| marked(at, group(at))).collect(),
        (0..count).map(|at| marked(at, group(count - 1 - at))).collect(),
    ]
}

/// Digits of a number where others stood: as text, with what fills the room and what ends it, and two in a byte.
fn digits(number: u64, old: &[u8]) -> Vec<Vec<u8>> {
    let len = old.len();
    let mut forms = Vec::new();
    for digits in [format!("{number:o}"), format!("{number}"), format!("{number:x}")] {
        let text = |text: String| text.into_bytes();
        let less = len.saturating_sub(1);
        let mut all = [
            text(format!("{digits:0>len$}")),
            text(format!("{digits:0>less$}\0")),
            text(format!("{digits:0>less$} ")),
            text(format!("{digits: <len$}")),
            text(format!("{digits: >len$}")),
        ];
        // What ends the old one ends the new one, too.
        all.sort_by_key(|form| form.last() != old.last() && !ends_in_digits(form, old));
        forms.extend(all);
    }
    forms.extend(hexadecimal(&format!("{number:0>0$}", 2 * len)));
    forms
}

fn ends_in_digits(new: &[u8], old: &[u8]) -> bool {
    [new, old].iter().all(|text| text.last().is_some_and(u8::is_ascii_hexdigit))
}

/// The bytes of a number in which some bits are another number, for each byte order.
fn in_bits(number: i128, bits: Bits, old: &[u8]) -> Result<Vec<Vec<u8>>, String> {
    let Bits { shift, width } = bits;
    if shift.saturating_add(width) > 64 {
        return Err("bits of a number of more than 64 cannot be set".to_owned());
    }
    let most = (1_i128 << width) - 1;
    if !(0..=most).contains(&number) {
        return Err(format!("{number} does not fit in {width} bits"));
    }
    let mask = most << shift;
    let with = |stored: Vec<u8>| {
        let old = stored.iter().rev().fold(0_i128, |sum, byte| sum << 8 | i128::from(*byte));
        let new = old & !mask | number << shift;
        new.to_le_bytes().into_iter().take(stored.len()).collect::<Vec<_>>()
    };
    let little = with(old.to_vec());
    let mut big = with(old.iter().rev().copied().collect());
    big.reverse();
    Ok(vec![little, big])
}

/// Whether a field has the value that was wanted.
pub(super) fn is(value: Option<&NodeValue>, stored: &[u8], wanted: &Wanted) -> bool {
    let text = match wanted {
        Wanted::Bytes(bytes) => return bytes == stored,
        Wanted::Text(text) => text.as_str(),
    };
    match value {
        Some(NodeValue::Uint(number) | NodeValue::Flags { bits: number, .. }) => {
            unsigned(text) == Ok(i128::from(*number))
        }
        Some(NodeValue::Int(number)) => text.parse() == Ok(*number),
        Some(NodeValue::Enum { number, name }) => {
            *name == Some(text) || unsigned(text) == Ok(i128::from(*number))
        }
        Some(NodeValue::Bool(value)) => *value == matches!(text, "true" | "1"),
        Some(NodeValue::Float(value)) => match stored.len() {
            4 => text
                .parse::<f32>()
                .is_ok_and(|wanted| f64::from(wanted).to_bits() == value.to_bits()),
            _ => text.parse::<f64>().is_ok_and(|wanted| wanted.to_bits() == value.to_bits()),
        },
        Some(NodeValue::Str(value)) => value == text,
        Some(NodeValue::Bytes { .. }) => hexadecimal(text).as_deref() == Ok(stored),
        _ => false,
    }
}

fn no_number(text: &str) -> String {
    format!("`{text}` is no number")
}

fn unsigned(text: &str) -> Result<i128, String> {
    let number = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(hex) => u64::from_str_radix(hex, 16),
        None => text.parse(),
    };
    number.map(i128::from).map_err(|_| no_number(text))
}

/// The number of a name, or a number.
fn named(field: &Field, text: &str) -> Result<i128, String> {
    let variants = field.ty.filter(|ty| ty.shape == Shape::Enum).map_or(&[][..], |ty| ty.fields);
    match variants.iter().find(|variant| variant.name == text) {
        Some(variant) => unsigned(variant.words.trim()),
        None => unsigned(text).map_err(|_| {
            let names: Vec<_> = variants.iter().map(|variant| variant.name).collect();
            format!("there is no `{text}`; there are {}", names.join(", "))
        }),
    }
}

fn hexadecimal(text: &str) -> Result<Vec<u8>, String> {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    let pairs: Option<Vec<u8>> = digits
        .as_bytes()
        .chunks(2)
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
        .collect();
    let pairs = pairs.filter(|_| digits.len().is_multiple_of(2) && !digits.contains('+'));
    pairs.ok_or_else(|| {
        format!("`{text}` is no hexadecimal bytes, as `0x00ff` are; `@NAME` reads a file")
    })
}

/// A number in so many bytes, the lowest first and the highest first.
pub(super) fn integer(number: i128, size: usize) -> Result<Vec<Vec<u8>>, String> {
    let little = number.to_le_bytes();
    let (stored, rest) = little.split_at_checked(size).ok_or("it is no number of fixed size")?;
    let top = stored.last().copied().unwrap_or(0);
    let fits_signed = rest.iter().all(|byte| *byte == if top >= 0x80 { 0xff } else { 0 });
    let fits = if number < 0 { fits_signed } else { rest.iter().all(|byte| *byte == 0) };
    if !fits || size == 0 {
        return Err(unfitting(number, size));
    }
    let little = stored.to_vec();
    let big: Vec<u8> = little.iter().rev().copied().collect();
    Ok(vec![little, big])
}

fn float(text: &str, size: usize) -> Result<Vec<Vec<u8>>, String> {
    let little = match size {
        4 => text.parse::<f32>().map(|value| value.to_le_bytes().to_vec()),
        8 => text.parse::<f64>().map(|value| value.to_le_bytes().to_vec()),
        _ => return Err(format!("there is no number of floating point in {size} bytes")),
    };
    let little = little.map_err(|_| no_number(text))?;
    let big = little.iter().rev().copied().collect();
    Ok(vec![little, big])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_their_size_or_are_refused() {
        assert_eq!(integer(258, 2).unwrap(), [[2, 1], [1, 2]]);
        assert_eq!(integer(-1, 3).unwrap()[0], [255; 3]);
        assert_eq!(integer(200, 1).unwrap()[0], [200]);
        for (number, size) in [(256, 1), (-129, 1), (1, 0), (1, 17)] {
            integer(number, size).unwrap_err();
        }
        assert_eq!(unsigned("0xff"), Ok(255));
        unsigned("ff").unwrap_err();
        unsigned("-1").unwrap_err();
    }

    #[test]
    fn bits_are_put_among_the_others_in_both_byte_orders() {
        let bits = Bits { shift: 6, width: 4 };
        assert_eq!(in_bits(0b1001, bits, &[0xff, 0xff]).unwrap(), [[0x7f, 0xfe], [0xfe, 0x7f]]);
        assert_eq!(in_bits(15, bits, &[0, 0]).unwrap(), [[0xc0, 0x03], [0x03, 0xc0]]);
        for wrong in [16, -1] {
            in_bits(wrong, bits, &[0, 0]).unwrap_err();
        }
        let whole = Bits { shift: 0, width: 64 };
        assert_eq!(in_bits(i128::from(u64::MAX), whole, &[0; 8]).unwrap(), [[255; 8]; 2]);
    }

    #[test]
    fn bytes_are_hexadecimal() {
        assert_eq!(hexadecimal("0x00ff"), Ok(vec![0, 255]));
        assert_eq!(hexadecimal(""), Ok(vec![]));
        for wrong in ["0", "0x0", "xx", "+1", "é"] {
            hexadecimal(wrong).unwrap_err();
        }
    }
}
