use binfmt_runtime::{BinFormat, Coded, Leb};

#[derive(BinFormat)]
struct Value {
    #[bin(prefix = u8)]
    data: Vec<u8>,
    #[bin(checksum(binfmt_runtime::Crc32, over = data))]
    sum: Coded<Leb, u32>,
}

fn main() {}
