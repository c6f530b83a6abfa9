use binfmt_runtime::{BinFormat, FlatBuffer};

#[derive(BinFormat)]
#[bin(little)]
struct Demo<'a> {
    #[bin(len = 8, root = root)]
    a: FlatBuffer<'a, Table>,
    root: u32,
}

#[derive(BinFormat)]
#[bin(flatbuffer)]
struct Table {}

fn main() {}
