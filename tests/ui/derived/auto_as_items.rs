use binfmt_runtime::{Auto, BinFormat};

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    n: u8,
    #[bin(count = n)]
    sizes: Vec<Auto<u32>>,
}

fn main() {}
