use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(tag = kind, args(kind: [u8; 4]))]
enum Chunk {
    #[bin(id = b"fmt")]
    Format,
    #[bin(id = b"data")]
    Data,
}

fn main() {}
