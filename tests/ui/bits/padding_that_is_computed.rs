use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(bits = u8, lsb)]
struct Demo {
    #[bin(bits = 4)]
    low: u8,
    #[bin(bits = 2, pad_after = low)]
    high: u8,
}

fn main() {}
