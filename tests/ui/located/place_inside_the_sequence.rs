use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little, magic = b"AB")]
struct Demo {
    key: u64,
    #[bin(at = 4, base = start)]
    inside: u16,
    #[bin(at = 1, base = start)]
    magic: u8,
    #[bin(at = 10, base = start)]
    behind: u16,
}

fn main() {}
