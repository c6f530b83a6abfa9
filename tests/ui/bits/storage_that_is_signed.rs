use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(bits = i8, lsb)]
struct Demo {
    #[bin(bits = 8)]
    low: u8,
}

fn main() {}
