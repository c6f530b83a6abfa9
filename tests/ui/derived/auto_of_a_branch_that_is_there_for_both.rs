use binfmt_runtime::{Auto, BinFormat};

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    version: u8,
    #[bin(if = version < 3)]
    a: Option<Auto<u8>>,
    #[bin(if = version >= 2)]
    b: Option<Auto<u16>>,
    #[bin(len = if version < 2 { a } else { b })]
    data: Vec<u8>,
}

fn main() {}
