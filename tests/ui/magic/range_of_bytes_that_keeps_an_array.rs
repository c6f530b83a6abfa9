use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
enum Demo {
    #[bin(magic = 1u8..=5)]
    Low([u8; 1], u8),
}

fn main() {}
