use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(args())]
struct Demo {
    a: u8,
}

fn main() {}
