//! Items cannot be compared by a number that they do not hold.
use binfmt_runtime::{Auto, BinFormat};

#[derive(BinFormat)]
struct List {
    #[bin(until_end, unique = kind)]
    items: Vec<Item>,
}

#[derive(BinFormat)]
struct Item {
    #[bin(calc = tag(body))]
    kind: Auto<u8>,
    #[bin(args(kind))]
    body: Body,
}

#[derive(BinFormat)]
#[bin(tag = kind, args(kind: u8))]
enum Body {
    #[bin(id = 1)]
    One,
    #[bin(id = 2)]
    Two,
}

fn main() {}
