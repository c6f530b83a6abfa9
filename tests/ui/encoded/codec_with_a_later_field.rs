use binfmt_runtime::{BinFormat, Encoded, Xor};

#[derive(BinFormat)]
struct Demo {
    #[bin(len = 4, codec = Xor(key))]
    body: Encoded<Xor, Body>,
    key: u8,
}

#[derive(BinFormat)]
struct Body {
    a: [u8; 4],
}

fn main() {}
