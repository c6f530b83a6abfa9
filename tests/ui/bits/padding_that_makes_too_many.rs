use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(bits = u8, lsb)]
struct Demo {
    #[bin(bits = 4, pad_before = 2)]
    low: u8,
    #[bin(bits = 3)]
    high: u8,
}

fn main() {}
