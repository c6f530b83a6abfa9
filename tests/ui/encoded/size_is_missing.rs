use binfmt_runtime::{BinFormat, Encoded, Xor};

#[derive(BinFormat)]
struct Demo {
    body: Encoded<Xor, Body>,
}

#[derive(BinFormat)]
struct Body {
    a: u8,
}

fn main() {}
