use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(bits = u8)]
struct Demo {
    #[bin(bits = 6, pad_after = 2)]
    low: u8,
}

fn main() {}
