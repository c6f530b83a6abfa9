use binfmt_runtime::{Auto, BinFormat};

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    n: Auto<i8>,
    #[bin(len = abs(n))]
    data: Vec<u8>,
}

fn main() {}
