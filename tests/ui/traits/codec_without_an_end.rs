use binfmt_runtime::{BinFormat, Encoded, Xor};

#[derive(BinFormat)]
struct Demo {
    #[bin(until_codec)]
    body: Encoded<Xor, Body>,
    behind: u8,
}

#[derive(BinFormat)]
struct Body(u8);

fn main() {}
