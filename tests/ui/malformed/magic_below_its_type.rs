use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(magic = -129i8)]
struct Demo {
    a: u8,
}

fn main() {}
