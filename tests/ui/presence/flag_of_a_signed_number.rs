use binfmt_runtime::{BinFormat, Leb128};

#[derive(BinFormat)]
struct Demo {
    flags: Leb128<i32>,
    #[bin(flag = flags & 1)]
    more: Option<u8>,
}

fn main() {}
