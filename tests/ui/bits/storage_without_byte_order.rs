use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(bits = u16, lsb)]
struct Demo {
    #[bin(bits = 16)]
    low: u16,
}

fn main() {}
