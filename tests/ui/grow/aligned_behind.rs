//! How much fill is behind a value follows from where it lies, which follows from its size downwards.

use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Page {
    at: u8,
    #[bin(section, len = 16, grow = down)]
    space: Vec<u8>,
    #[bin(at = at, prefix = u8, place = space, align_after = 2)]
    value: Vec<u8>,
}

fn main() {}
