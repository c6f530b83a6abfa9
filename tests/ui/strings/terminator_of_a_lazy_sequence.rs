use binfmt_runtime::{BinFormat, Seq};

#[derive(BinFormat)]
struct Demo<'a> {
    #[bin(until = 0)]
    items: Seq<'a, [u8; 2]>,
}

fn main() {}
