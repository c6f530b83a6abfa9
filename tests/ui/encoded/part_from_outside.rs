use binfmt_runtime::{BinFormat, Encoded, Xor};

#[derive(BinFormat)]
struct Demo {
    #[bin(len = 4, check(body.a > 1, "too small"))]
    body: Encoded<Xor, Body>,
    #[bin(len = body.a)]
    text: String,
}

#[derive(BinFormat)]
struct Body {
    a: u8,
    b: [u8; 3],
}

fn main() {}
