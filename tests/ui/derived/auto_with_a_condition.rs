use binfmt_runtime::{Auto, BinFormat};

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    n: u8,
    #[bin(if = n > 0, calc = 4)]
    size: Auto<u32>,
}

fn main() {}
