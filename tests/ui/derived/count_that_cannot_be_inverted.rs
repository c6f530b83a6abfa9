use binfmt_runtime::{Auto, BinFormat};

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    n: Auto<u8>,
    #[bin(count = n / 2)]
    items: Vec<u16>,
}

fn main() {}
