use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    at: u8,
    b: u8,
    #[bin(at = at)]
    c: u8,
    #[bin(checksum(Crc32, over = b..=c))]
    crc: u32,
}

fn main() {}
