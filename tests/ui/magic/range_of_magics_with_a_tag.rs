use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(tag = kind, args(kind: u8))]
enum Demo {
    #[bin(magic = 1u8..=5)]
    Low(u8, u8),
}

fn main() {}
