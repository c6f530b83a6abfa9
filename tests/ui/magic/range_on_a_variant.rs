use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
enum Demo {
    #[bin(magic = 1u8..=5u8)]
    Low(u8),
    #[bin(magic = 9u8)]
    High(u8),
}

fn main() {}
