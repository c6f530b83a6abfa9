use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(len = size, args(size: u32))]
struct Demo {
    a: u8,
}

fn main() {}
