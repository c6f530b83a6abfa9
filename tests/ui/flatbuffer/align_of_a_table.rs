use binfmt_runtime::{BinFormat, FbRef};

#[derive(BinFormat)]
#[bin(flatbuffer)]
struct Demo<'a> {
    #[bin(slot = 0, align_before = 16)]
    a: Option<FbRef<'a, Self>>,
}

fn main() {}
