use binfmt_runtime::{BinFormat, Seq};

#[derive(BinFormat)]
#[bin(flatbuffer)]
struct Demo<'a> {
    #[bin(slot = 0)]
    a: Seq<'a, u8>,
}

fn main() {}
