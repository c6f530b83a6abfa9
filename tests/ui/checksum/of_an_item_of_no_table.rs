use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Chunk {
    data: [u8; 4],
    #[bin(checksum(Crc32, it.sum))]
    sum: u32,
}

fn main() {}
