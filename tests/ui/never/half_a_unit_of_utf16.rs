use binfmt_runtime::{BinFormat, Utf16};

#[derive(BinFormat)]
#[bin(little)]
struct Demo<'a> {
    #[bin(len = 5)]
    name: Utf16<'a>,
}

fn main() {}
