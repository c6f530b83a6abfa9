use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Table {
    it: u8,
    #[bin(prefix = u8)]
    offsets: Vec<u32>,
    #[bin(for_each = offsets, at = it, len = 2)]
    values: Vec<Vec<u8>>,
}

fn main() {}
