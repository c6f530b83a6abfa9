use binfmt_runtime::{Auto, BinFormat};

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    a: u8,
    b: u8,
    #[bin(checksum(Crc32, over = a..=b))]
    crc: Auto<[u8; 4]>,
}

fn main() {}
