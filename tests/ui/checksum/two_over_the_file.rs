use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(checksum(binfmt_runtime::Crc32, over = file))]
    first: u32,
    #[bin(checksum(binfmt_runtime::Crc32, over = file))]
    second: u32,
}

fn main() {}
