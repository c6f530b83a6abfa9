use binfmt_runtime::{BinFormat, Seq};

#[derive(BinFormat)]
struct Demo<'a> {
    #[bin(until = last == 0)]
    items: Seq<'a, u8>,
}

fn main() {}
