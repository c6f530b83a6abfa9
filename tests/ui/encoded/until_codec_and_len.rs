use binfmt_runtime::{BinFormat, Deflate, Encoded};

#[derive(BinFormat)]
struct Demo {
    #[bin(len = 8, until_codec)]
    body: Encoded<Deflate, Body>,
}

#[derive(BinFormat)]
struct Body(u8);

fn main() {}
