use binfmt_runtime::{Auto, BinFormat, Encoded, Xor};

#[derive(BinFormat)]
struct Demo {
    key: Auto<u8>,
    #[bin(prefix = u8, codec = Xor(key))]
    body: Encoded<Xor, Body>,
    #[bin(len = key)]
    more: Encoded<Xor, Body>,
}

#[derive(BinFormat)]
struct Body {
    a: u8,
}

fn main() {}
