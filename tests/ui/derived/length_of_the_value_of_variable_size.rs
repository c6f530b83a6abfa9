use binfmt_runtime::{Auto, BinFormat, Leb128};

#[derive(BinFormat)]
#[bin(len = size)]
struct Demo {
    size: Auto<Leb128<u32>>,
    data: u8,
}

fn main() {}
