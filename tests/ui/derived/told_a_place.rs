use binfmt_runtime::{Auto, BinFormat};

#[derive(BinFormat)]
#[bin(args(n: u8))]
struct Body {
    #[bin(len = n)]
    data: Vec<u8>,
}

#[derive(BinFormat)]
struct Demo {
    at: Auto<u8>,
    #[bin(at = at, args(n = at))]
    body: Body,
}

fn main() {}
