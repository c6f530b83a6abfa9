use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(args(limit: u8 = a))]
struct Demo {
    a: u8,
}

fn main() {}
