use binfmt_runtime::{Auto, BinFormat};

#[derive(BinFormat)]
#[bin(little)]
struct Demo<'a> {
    n: Auto<u8>,
    #[bin(len = n)]
    data: &'a [u8],
    #[bin(calc = count(data))]
    a: u8,
}

fn main() {}
