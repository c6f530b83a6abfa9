use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(args(LIMIT: u8))]
struct Demo {
    a: u8,
}

fn main() {}
