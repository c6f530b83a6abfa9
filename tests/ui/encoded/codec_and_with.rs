use binfmt_runtime::{BinFormat, Encoded, Xor};

#[derive(BinFormat)]
struct Demo {
    #[bin(with = module, codec = Xor(3))]
    body: Encoded<Xor, Body>,
}

#[derive(BinFormat)]
struct Body {
    a: u8,
}

fn main() {}
