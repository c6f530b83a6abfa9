use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    a: u8,
    b: u8,
    #[bin(checksum(Crc32, over = a..=b, zero = b, except = b))]
    crc: u32,
}

fn main() {}
