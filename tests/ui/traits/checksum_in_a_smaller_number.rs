use binfmt_runtime::{BinFormat, Crc32};

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(checksum(Crc32, over = data))]
    sum: u16,
    #[bin(until_end)]
    data: Vec<u8>,
}

fn main() {}
