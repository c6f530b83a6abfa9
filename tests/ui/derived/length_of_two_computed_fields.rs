use binfmt_runtime::{Auto, BinFormat};

#[derive(BinFormat)]
#[bin(little)]
struct Demo<'a> {
    a: Auto<u8>,
    b: Auto<u8>,
    #[bin(len = a + b)]
    data: &'a [u8],
}

fn main() {}
