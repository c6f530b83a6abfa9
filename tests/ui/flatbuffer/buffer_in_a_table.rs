use binfmt_runtime::{BinFormat, FlatBuffer};

#[derive(BinFormat)]
#[bin(flatbuffer)]
struct Demo<'a> {
    #[bin(slot = 0)]
    a: FlatBuffer<'a, Demo<'a>>,
}

fn main() {}
