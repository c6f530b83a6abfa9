//! Constants of a declaration as bytes.

use super::expr::{literal, number};
use crate::words::Words;

/// A byte order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Order {
    Little,
    Big,
}

impl Order {
    pub(super) fn of(words: &Words<'_>) -> Option<Self> {
        let little = words.has("little").then_some(Self::Little);
        little.or_else(|| words.has("big").then_some(Self::Big))
    }
}

/// The bytes of a constant in a declaration.
pub(super) fn constant(text: &str, order: Option<Order>) -> Option<Vec<u8>> {
    if let Some((bytes, _)) = literal(text) {
        return Some(bytes);
    }
    let (number, ty) = number(text)?;
    encoded(number, ty, order)
}

/// A number of a type as bytes.
pub(super) fn encoded(number: u64, ty: &str, order: Option<Order>) -> Option<Vec<u8>> {
    let bits: usize = ty.get(1..)?.parse().ok()?;
    let bytes = number.to_le_bytes();
    let mut bytes = bytes.get(..bits / 8)?.to_vec();
    match order {
        Some(Order::Big) => bytes.reverse(),
        None if bytes.len() > 1 => return None,
        _ => {}
    }
    Some(bytes)
}
