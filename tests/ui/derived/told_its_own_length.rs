use binfmt_runtime::{Auto, BinFormat};

#[derive(BinFormat)]
#[bin(args(n: u8))]
struct Body {
    #[bin(len = n)]
    data: Vec<u8>,
}

#[derive(BinFormat)]
struct Demo {
    len: Auto<u8>,
    #[bin(len = len, args(n = len))]
    body: Body,
}

fn main() {}
