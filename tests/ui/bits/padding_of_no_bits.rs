use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(bits = u8, lsb)]
struct Demo {
    #[bin(bits = 8, pad_after = 0)]
    low: u8,
}

fn main() {}
