use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Chunk {
    stamp: u32,
    #[bin(checksum(Crc32, over = file, except = stamp))]
    sum: u32,
}

fn main() {}
