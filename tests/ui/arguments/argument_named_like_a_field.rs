use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(args(limit: u8))]
struct Demo {
    limit: u8,
}

fn main() {}
