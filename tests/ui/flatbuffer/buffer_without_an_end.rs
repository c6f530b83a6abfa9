use binfmt_runtime::{BinFormat, FlatBuffer};

#[derive(BinFormat)]
struct Demo<'a> {
    a: FlatBuffer<'a, Table>,
}

#[derive(BinFormat)]
#[bin(flatbuffer)]
struct Table {}

fn main() {}
