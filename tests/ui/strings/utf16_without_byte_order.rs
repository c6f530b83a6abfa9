use binfmt_runtime::{BinFormat, Utf16};

#[derive(BinFormat)]
struct Demo<'a> {
    #[bin(nul)]
    name: Utf16<'a>,
}

fn main() {}
