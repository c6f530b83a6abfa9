use binfmt_runtime::{Auto, BinFormat};

#[derive(BinFormat)]
#[bin(args(before: u8))]
struct Item {
    len: Auto<u8>,
    #[bin(len = len, check(before < 9, "the item before is long"))]
    name: Vec<u8>,
}

#[derive(BinFormat)]
struct Demo {
    #[bin(until_end, args(before = previous.len or 0))]
    items: Vec<Item>,
}

fn main() {}
