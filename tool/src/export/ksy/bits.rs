//! Bit fields: parts of one number.

use binfmt_runtime::{Layout, Shape};
use serde_json::{Map, json};

use super::super::constants::Order;
use super::Ksy;
use super::fields::ordered;
use super::types::{Ty, id, type_id};
use crate::bits::{self, Bits};
use crate::words::Words;

/// Describes a type of bit fields: the number that they lie in, and what each of them is of it.
pub(super) fn declare(ksy: &mut Ksy, layout: &'static Layout) -> Result<(), String> {
    let words = Words::of(layout.words);
    let base = match bits::of_type(layout) {
        Some(8) => "u1",
        Some(16) => "u2",
        Some(32) => "u4",
        Some(64) => "u8",
        _ => return Err("bit fields in a number of that width are not described".to_owned()),
    };
    let mut instances = Map::new();
    for (field, Bits { shift, width }) in bits::of_fields(layout) {
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
