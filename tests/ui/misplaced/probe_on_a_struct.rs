use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(probe)]
struct Demo {
    a: u8,
}

fn main() {}
