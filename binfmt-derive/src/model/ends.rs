//! Where bytes, texts and items end that no length tells.

use super::{Field, Kind, Scalar, scalar};
use crate::attr::{Constant, Nul, Order, Terminator, TerminatorRole};

/// What is cut off a string of a width that is told.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cut {
    /// Units of fill at its end.
    Fill(u16),
    /// The first NUL, and all behind it.
    Nul,
}

impl Field<'_> {
    /// Whether a NUL follows the string.
    pub(crate) fn has_nul(&self) -> bool {
        self.words.nul.as_ref().is_some_and(|nul| nul.value == Nul::Follows)
    }

    /// Whether a string ends where its NUL is, and nowhere else.
    pub(crate) fn ends_at_nul(&self) -> bool {
        let words = &self.words;
        let sized = words.len.is_some() || words.prefix.is_some() || words.until_end.is_some();
        self.has_nul() && !sized
    }

    /// What is cut off a string of a width that is told.
    pub(crate) fn cut(&self) -> Option<Cut> {
        if self.words.nul.as_ref().is_some_and(|nul| nul.value == Nul::Optional) {
            return Some(Cut::Nul);
        }
        let trim = self.words.trim.as_ref()?;
        Some(Cut::Fill(trim.value.0.base10_parse().unwrap_or(0)))
    }

    /// The constant that ends the value.
    pub(crate) fn terminator(&self) -> Option<&Terminator> {
        self.words.terminator.as_ref().map(|word| &word.value)
    }

    /// Whether the value ends in front of a constant that belongs to what follows.
    pub(crate) fn peeks(&self) -> bool {
        let role = self.terminator().map(|terminator| terminator.role);
        matches!(role, Some(TerminatorRole::Peeked | TerminatorRole::PeekedLast))
    }

    /// Whether the value is bytes that end with a constant, or with their region.
    pub(crate) fn is_bytes_or_end(&self) -> bool {
        self.kind.is_bytes() && self.words.terminator.is_some() && self.words.least.is_some()
    }

    /// Whether reading a string looks through it.
    pub(crate) fn looks_for_its_end(&self) -> bool {
        self.ends_at_nul() || self.cut().is_some() || self.words.terminator.is_some()
    }

    /// The number that its items are, if they are numbers.
    pub(crate) fn item_number(&self) -> Option<Scalar> {
        match self.kind {
            Kind::Vec(item) if matches!(Kind::of(item), Kind::Scalar(_)) => scalar(item),
            _ => None,
        }
    }

    /// The bytes of the constant that ends the value, a number in that order.
    pub(crate) fn terminator_bytes(&self, order: Order) -> Vec<u8> {
        let number = match self.terminator().map(|terminator| &terminator.constant) {
            None => return Vec::new(),
            Some(Constant::Bytes(bytes)) => return bytes.value(),
            Some(Constant::Number(number)) => number.to_le_bytes(),
            Some(Constant::Negative(number)) => number.to_le_bytes(),
        };
        let size = self.item_number().map_or(1, |scalar| usize::from(scalar.size));
        let mut bytes: Vec<u8> = number.into_iter().take(size).collect();
        if order == Order::Big {
            bytes.reverse();
        }
        bytes
    }
}
