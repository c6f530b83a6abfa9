use binfmt_runtime::{BinFormat, Deflate, Encoded};

#[derive(BinFormat)]
struct Demo {
    #[bin(with = module, until_codec)]
    body: Encoded<Deflate, Body>,
}

#[derive(BinFormat)]
struct Body(u8);

fn main() {}
