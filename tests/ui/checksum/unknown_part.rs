use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    a: u8,
    #[bin(checksum(Crc32, over = a, init = 1))]
    crc: u32,
}

fn main() {}
