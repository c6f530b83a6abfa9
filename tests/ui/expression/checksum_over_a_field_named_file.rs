use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Signed {
    #[bin(len = 4)]
    file: Vec<u8>,
    #[bin(checksum(Crc32, over = file))]
    sum: u32,
}

fn main() {}
