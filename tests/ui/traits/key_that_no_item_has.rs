//! Items are compared by a field that they have.
use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct List {
    #[bin(until_end, sorted_by = key)]
    items: Vec<Item>,
}

#[derive(BinFormat)]
struct Item {
    kind: u8,
}

fn main() {}
