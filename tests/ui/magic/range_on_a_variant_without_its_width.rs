use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
enum Demo {
    #[bin(magic = 1..=5)]
    Low(u8, u8),
}

fn main() {}
