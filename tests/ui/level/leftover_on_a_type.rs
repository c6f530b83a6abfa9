use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little, level(leftover = warning))]
struct Demo {
    a: u8,
}

fn main() {}
