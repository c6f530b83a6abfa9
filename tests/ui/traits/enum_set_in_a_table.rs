//! A writer cannot set a size that is an enum.
use binfmt_runtime::BinFormat;

#[derive(BinFormat, Clone)]
#[bin(little)]
struct Entry {
    offset: u32,
    size: Size,
}

#[derive(BinFormat, Clone, Copy)]
#[repr(u8)]
enum Size {
    Small = 16,
    Large = 64,
}

#[derive(BinFormat)]
struct Demo<'a> {
    #[bin(count = 2)]
    entries: Vec<Entry>,
    #[bin(for_each = entries, at = it.offset, len = it.size)]
    bodies: Vec<&'a [u8]>,
}

fn main() {}
