use binfmt_runtime::{BinFormat, Seq};

#[derive(BinFormat)]
struct Demo<'a> {
    #[bin(until = remaining < 2, level(leftover = note))]
    a: Seq<'a, u8>,
}

fn main() {}
