use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(checksum(Crc32, over = decoded(body)))]
    sum: u32,
    #[bin(prefix = u8)]
    body: Vec<u8>,
}

fn main() {}
