use binfmt_runtime::{BinFormat, Encoded, Xor};

#[derive(BinFormat)]
struct Demo<'a> {
    #[bin(until_end)]
    body: Encoded<Xor, Body<'a>>,
}

#[derive(BinFormat)]
struct Body<'a> {
    #[bin(until_end)]
    a: &'a [u8],
}

fn main() {}
