use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(checksum(Crc32, over = self))]
    a: u32,
    #[bin(checksum(Crc32, over = self))]
    b: u32,
}

fn main() {}
