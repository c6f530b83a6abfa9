use binfmt_runtime::{Auto, BinFormat};

#[derive(BinFormat)]
#[bin(little, len = size + len(data))]
struct Demo<'a> {
    size: Auto<u32>,
    n: Auto<u8>,
    #[bin(len = n)]
    data: &'a [u8],
}

fn main() {}
