//! Values beside the items of tables.

use binfmt_runtime::BinFormat;

use super::*;

/// A table that cannot be said, and values beside it.
#[derive(BinFormat)]
#[bin(little)]
struct Beside<'a> {
    count: u8,
    at: u8,
    #[bin(at = twice(at), count = count)]
    table: Vec<u16>,
    #[bin(for_each = table, at = it, len = 1)]
    values: Vec<&'a [u8]>,
}

/// Ends that count from the one before.
#[derive(BinFormat)]
#[bin(big)]
struct Running {
    first: u16,
    #[bin(count = 3)]
    ends: Vec<u16>,
    #[bin(for_each = ends, len = it - (previous or first))]
    texts: Vec<String>,
}

fn twice(number: u8) -> u8 {
    number.saturating_mul(2)
}

#[test]
fn values_beside_a_table_that_is_not_there_are_named() {
    let description = describe(format::<Beside<'_>>("beside").driver(), "binfmt");
    let places: Vec<_> = description.unsaid.iter().map(|(place, _)| place.as_str()).collect();
    assert_eq!(places, ["Beside.table", "Beside.values"]);
    assert!(!description.text.contains("table."), "{}", description.text);
}

#[test]
fn the_item_before_is_the_one_with_the_number_before() {
    let description = describe(format::<Running>("running").driver(), "binfmt");
    assert_eq!(description.unsaid, []);
    let text = &description.text;
    assert!(text.contains("_parent.ends[index - 1]"), "{text}");
    assert!(text.contains("(index == 0) ? _parent.first : previous"), "{text}");
}
