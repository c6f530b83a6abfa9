use binfmt_runtime::{BinFormat, Seq};

#[derive(BinFormat)]
#[bin(little)]
struct Demo<'a> {
    n: u8,
    #[bin(count = n, level(leftover = warning))]
    items: Seq<'a, [u8; 4]>,
}

fn main() {}
