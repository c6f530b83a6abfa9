use binfmt_runtime::BinFormat;

#[derive(BinFormat, Clone)]
struct Head { offsets: [u8; 2], size: u8 }

#[derive(BinFormat)]
struct Demo<'a> {
    heads: [Head; 2],
    #[bin(for_each = heads, len = it.size)]
    texts: Vec<&'a str>,
    #[bin(for_each = heads.offsets, at = it)]
    numbers: Vec<[u8; 2]>,
}
fn main() {}
