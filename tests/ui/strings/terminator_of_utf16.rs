use binfmt_runtime::{BinFormat, Utf16};

#[derive(BinFormat)]
#[bin(little)]
struct Demo<'a> {
    #[bin(until = b'|')]
    text: Utf16<'a>,
}

fn main() {}
