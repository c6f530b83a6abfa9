//! Bit fields: parts of one number.

use binfmt_runtime::{Layout, Shape};
use serde_json::{Map, json};

use super::super::constants::Order;
use super::super::words::Words;
use super::Ksy;
use super::fields::ordered;
use super::types::{Ty, id, type_id};

/// Describes a type of bit fields: the number that they lie in, and what each of them is of it.
pub(super) fn declare(ksy: &mut Ksy, layout: &'static Layout) -> Result<(), String> {
    let words = Words::of(layout.words);
    let (base, bits) = match Ty::of(words.get("bits").unwrap_or_default()) {
        Ty::Number(base @ "u1") => (base, 8),
        Ty::Number(base @ "u2") => (base, 16),
        Ty::Number(base @ "u4") => (base, 32),
        Ty::Number(base @ "u8") => (base, 64),
        _ => return Err("bit fields in a number of that width are not described".to_owned()),
    };
    let (mut at, mut instances) = (0_u32, Map::new());
    for field in layout.fields {
        let of_field = Words::of(field.words);
        let number = |word| of_field.get(word).and_then(|bits| bits.parse::<u32>().ok());
        let width = number("bits");
        at = at.saturating_add(number("pad_before").unwrap_or(0));
        let width: u32 = match (width, Ty::of(&layout.type_of(field))) {
            (Some(width), _) => width,
            (None, Ty::Bool) => 1,
            _ => return Err(format!("the width of `{}` is no number", field.name)),
        };
        let shift = if words.has("msb") { bits - at.min(bits) - width.min(bits) } else { at };
        at = at.saturating_add(width).saturating_add(number("pad_after").unwrap_or(0));
        let mask = 1_u64.checked_shl(width).map_or(u64::MAX, |bit| bit - 1);
        let mut value = format!("(bits >> {shift}) & {mask}");
        let mut instance = Map::new();
        if Ty::of(&layout.type_of(field)) == Ty::Bool {
            value = format!("({value}) != 0");
        }
        let nested = field.nested.map(|nested| nested()).filter(|it| it.shape == Shape::Enum);
        if let Some(numbers) = nested.filter(|it| ksy.enums.contains_key(&type_id(it))) {
            instance.insert("enum".to_owned(), type_id(numbers).into());
        }
        instance.insert("value".to_owned(), value.into());
        if !field.doc.trim().is_empty() {
            instance.insert("doc".to_owned(), field.doc.trim().into());
        }
        instances.insert(id(field.name), instance.into());
    }
    let mut ty = Map::new();
    let number = ordered(base, &words, Order::of(&words));
    ty.insert("seq".to_owned(), json!([{"id": "bits", "type": number}]));
    ty.insert("instances".to_owned(), instances.into());
    ksy.add(layout, ty, Vec::new());
    Ok(())
}
