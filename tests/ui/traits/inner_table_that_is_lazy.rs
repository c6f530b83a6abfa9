use binfmt_runtime::{BinFormat, Seq};

#[derive(BinFormat, Clone)]
struct Head<'a> {
    #[bin(count = 2)]
    offsets: Seq<'a, u8>,
}
#[derive(BinFormat)]
struct Demo<'a> {
    head: Head<'a>,
    #[bin(for_each = head.offsets, at = it)]
    numbers: Vec<[u8; 2]>,
}
fn main() {}
