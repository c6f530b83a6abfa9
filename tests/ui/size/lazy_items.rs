use binfmt_runtime::{BinFormat, Lazy};

#[derive(BinFormat)]
struct Demo<'a> {
    #[bin(until_end)]
    items: Vec<Lazy<'a, u8>>,
}

fn main() {}
