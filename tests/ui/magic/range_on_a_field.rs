use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    #[bin(magic = 1u8 | 2u8)]
    low: u8,
}

fn main() {}
