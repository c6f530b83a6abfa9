//! A type has room for its numbers.
use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little, len = 4)]
struct Header {
    kind: u16,
    offset: u32,
}

fn main() {}
