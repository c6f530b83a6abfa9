use binfmt_runtime::{BinFormat, Lazy};

#[derive(BinFormat)]
struct File<'a> {
    #[bin(calc = tag(shape))]
    kind: u8,
    size: u8,
    #[bin(len = size)]
    shape: Lazy<'a, Shape>,
}

#[derive(BinFormat)]
struct Shape {
    x: u8,
}

fn main() {}
