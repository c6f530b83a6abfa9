use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(bits = u8, lsb, msb)]
struct Demo {
    #[bin(bits = 8)]
    low: u8,
}

fn main() {}
