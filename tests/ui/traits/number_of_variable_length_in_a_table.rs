use binfmt_runtime::{BinFormat, Leb128};

#[derive(BinFormat, Clone)]
#[bin(little)]
struct Entry {
    offset: u32,
    size: Leb128<u32>,
}

#[derive(BinFormat)]
struct Demo<'a> {
    #[bin(count = 2)]
    entries: Vec<Entry>,
    #[bin(for_each = entries, at = it.offset, len = it.size)]
    bodies: Vec<&'a [u8]>,
}

fn main() {}
