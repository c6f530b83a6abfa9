use binfmt_runtime::{BinFormat, Leb128};

#[derive(BinFormat)]
struct Demo {
    #[bin(big)]
    number: Leb128<u32>,
}

fn main() {}
