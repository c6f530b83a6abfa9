use binfmt_runtime::{BinFormat, Crc32};

#[derive(BinFormat)]
#[bin(little)]
struct Flags {
    low: u32,
}

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(set(low = sum))]
    flags: Flags,
    #[bin(checksum(Crc32, over = self))]
    sum: u32,
}

fn main() {}
