use binfmt_runtime::{Auto, BinFormat};

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    offset: u32,
    #[bin(at = offset, calc = 3)]
    number: Auto<u32>,
}

fn main() {}
