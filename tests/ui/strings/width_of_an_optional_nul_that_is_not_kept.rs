use binfmt_runtime::{Auto, BinFormat};

#[derive(BinFormat)]
struct Demo<'a> {
    width: Auto<u8>,
    #[bin(len = width, nul = optional)]
    name: &'a str,
}

fn main() {}
