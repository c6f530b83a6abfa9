use binfmt_runtime::{Auto, BinFormat};

#[derive(BinFormat)]
#[bin(flatbuffer)]
struct Demo {
    #[bin(slot = 0)]
    a: Auto<u8>,
}

fn main() {}
