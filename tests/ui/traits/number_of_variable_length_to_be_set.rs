use binfmt_runtime::{BinFormat, Leb128};

#[derive(BinFormat, Clone)]
struct Head {
    size: Leb128<u32>,
}

#[derive(BinFormat)]
struct Demo<'a> {
    #[bin(set(size = len(data)))]
    head: Head,
    #[bin(until_end)]
    data: &'a [u8],
}

fn main() {}
