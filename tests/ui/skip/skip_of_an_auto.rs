use binfmt_runtime::{Auto, BinFormat};

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(skip)]
    size: Auto<u32>,
}

fn main() {}
