use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    a: u8,
    #[bin(checksum(Crc32, over = crc))]
    crc: u32,
}

fn main() {}
