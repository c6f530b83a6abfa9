use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(len = 64)]
struct Demo {
    a: u8,
}

fn main() {}
