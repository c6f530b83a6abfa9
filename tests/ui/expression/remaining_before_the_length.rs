use binfmt_runtime::{Auto, BinFormat};

#[derive(BinFormat)]
#[bin(len = size)]
struct Demo {
    #[bin(if = remaining > 8)]
    first: Option<u8>,
    size: Auto<u8>,
}

fn main() {}
