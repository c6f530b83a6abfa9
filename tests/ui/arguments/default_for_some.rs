use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(args(low: u8, high: u8 = 9))]
struct Demo {
    a: u8,
}

fn main() {}
