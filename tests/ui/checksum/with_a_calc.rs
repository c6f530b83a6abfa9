use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    a: u8,
    #[bin(calc = a, checksum(Crc32, over = a))]
    crc: u32,
}

fn main() {}
