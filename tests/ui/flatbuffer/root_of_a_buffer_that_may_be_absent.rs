use binfmt_runtime::{BinFormat, FlatBuffer};

#[derive(BinFormat)]
#[bin(little)]
struct Demo<'a> {
    root: u32,
    #[bin(if = root > 0, until_end, root = root)]
    a: Option<FlatBuffer<'a, Table>>,
}

#[derive(BinFormat)]
#[bin(flatbuffer)]
struct Table {}

fn main() {}
