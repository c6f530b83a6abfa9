use binfmt_runtime::{Auto, BinFormat};

#[derive(Default)]
struct Sum;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    data: u32,
    #[bin(checksum(Sum, over = data))]
    sum: Auto<u32>,
}

fn main() {}
