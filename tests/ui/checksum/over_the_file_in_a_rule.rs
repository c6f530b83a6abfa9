use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Chunk {
    #[bin(checksum(Crc32, over = file), check(sum != 0, "the file has no checksum"))]
    sum: u32,
}

fn main() {}
