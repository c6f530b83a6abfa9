use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(bits = u8, lsb)]
struct Demo {
    #[bin(bits = 6, pad_after = 2, fill = 1)]
    low: u8,
}

fn main() {}
