use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(magic = 1u8..=5u8)]
struct Demo {
    low: u8,
}

fn main() {}
