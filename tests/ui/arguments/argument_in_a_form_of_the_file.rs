use binfmt_runtime::{BinFormat, I40, Leb128, U24};

#[derive(BinFormat)]
#[bin(args(size: Leb128<u32>, width: U24, least: I40))]
struct Demo {
    #[bin(len = size + width, check(least < 3, "many"))]
    data: Vec<u8>,
}

fn main() {}
