use binfmt_runtime::{BinFormat, FlatBuffer};

#[derive(BinFormat)]
#[bin(little)]
struct Demo<'a> {
    root: u64,
    #[bin(until_end, root = root)]
    a: FlatBuffer<'a, Table>,
}

#[derive(BinFormat)]
#[bin(flatbuffer)]
struct Table {}

fn main() {}
