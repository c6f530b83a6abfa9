use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    a: u8,
    #[bin(checksum())]
    crc: u32,
}

fn main() {}
