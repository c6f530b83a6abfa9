use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(big, bits = u16, lsb)]
struct Demo {
    #[bin(bits = 9)]
    low: u8,
    #[bin(bits = 7)]
    high: u8,
}

fn main() {}
