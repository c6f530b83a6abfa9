use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
enum Demo {
    #[bin(magic = 5u8..=1)]
    Low(u8, u8),
}

fn main() {}
