use binfmt_runtime::{BinFormat, Seq};

#[derive(BinFormat)]
struct Demo<'a> {
    #[bin(prefix = u8)]
    sizes: Seq<'a, u8>,
    #[bin(for_each = sizes, len = it)]
    bodies: Vec<&'a [u8]>,
    #[bin(calc = len(bodies))]
    total: u8,
}

fn main() {}
