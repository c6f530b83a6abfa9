use binfmt_runtime::{BinFormat, Lazy};

#[derive(BinFormat)]
struct Demo<'a> {
    item: Lazy<'a, u8>,
}

fn main() {}
