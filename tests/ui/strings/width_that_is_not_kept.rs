use binfmt_runtime::{Auto, BinFormat};

#[derive(BinFormat)]
struct Demo<'a> {
    width: Auto<u8>,
    #[bin(len = width, trim = 0)]
    name: &'a str,
}

fn main() {}
