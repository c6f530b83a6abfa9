use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    data: u8,
    #[bin(checksum(Crc32, over = date))]
    crc: u32,
}

fn main() {}
