use binfmt_runtime::{BinFormat, Seq};

#[derive(BinFormat)]
#[bin(args(sizes: Seq<'a, u8>))]
struct Demo<'a> {
    #[bin(for_each = sizes, len = it)]
    parts: Vec<&'a [u8]>,
}

fn main() {}
