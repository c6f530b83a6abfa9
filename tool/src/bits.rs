//! Where bit fields lie in their number.

use binfmt_runtime::{FieldLayout, Layout};

use crate::words::Words;

/// The bits of a field: how far they lie above the lowest bit of the number, and how many they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bits {
    pub(crate) shift: u32,
    pub(crate) width: u32,
}

/// How many bits the number of a type of bit fields has.
pub(crate) fn of_type(layout: &'static Layout) -> Option<u32> {
    let ty = Words::of(layout.words).get("bits")?;
    ty.trim_start_matches(['u', 'U']).parse().ok()
}

/// The bits of each field of a type.
pub(crate) fn of_fields(layout: &'static Layout) -> Vec<(&'static FieldLayout, Bits)> {
    let Some(bits) = of_type(layout) else { return Vec::new() };
    let from_top = Words::of(layout.words).has("msb");
    let mut at = 0_u32;
    let place = |field: &'static FieldLayout| {
        let words = Words::of(field.words);
        let number = |word| words.get(word).and_then(|bits| bits.parse::<u32>().ok()).unwrap_or(0);
        let width = u32::from(field.bits?);
        at = at.saturating_add(number("pad_before"));
        let shift = if from_top { bits.saturating_sub(at).saturating_sub(width) } else { at };
        at = at.saturating_add(width).saturating_add(number("pad_after"));
        Some((field, Bits { shift, width }))
    };
    layout.fields.iter().filter_map(place).collect()
}
