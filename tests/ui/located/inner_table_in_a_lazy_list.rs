use binfmt_runtime::{BinFormat, Seq};

#[derive(BinFormat, Clone)]
struct Head { offsets: [u8; 2] }

#[derive(BinFormat)]
struct Demo<'a> {
    #[bin(count = 2)]
    heads: Seq<'a, Head>,
    #[bin(for_each = heads.offsets, at = it)]
    numbers: Vec<u8>,
}
fn main() {}
