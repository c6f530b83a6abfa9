use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    #[bin(args(limit = 1))]
    pair: (u8, u8),
}

fn main() {}
