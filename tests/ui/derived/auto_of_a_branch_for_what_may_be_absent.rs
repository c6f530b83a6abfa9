use binfmt_runtime::{Auto, BinFormat};

#[derive(BinFormat)]
struct Demo {
    version: u8,
    #[bin(if = version < 2)]
    a: Option<Auto<u8>>,
    #[bin(if = version >= 2)]
    b: Option<Auto<u8>>,
    #[bin(if = version != 7, len = if version < 2 { a } else { b })]
    data: Option<Vec<u8>>,
}

fn main() {}
