use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Blocks {
    number: u32,
    #[bin(at = number * 512, null = 0xffff_ffff, len = 2)]
    block: Option<Vec<u8>>,
    other: u8,
    #[bin(at = other, null = 300, len = 2)]
    far: Option<Vec<u8>>,
    #[bin(prefix = u8)]
    table: Vec<u16>,
    #[bin(for_each = table, at = it + 4, null = 0, len = 2)]
    each: Vec<Option<Vec<u8>>>,
}

fn main() {}
