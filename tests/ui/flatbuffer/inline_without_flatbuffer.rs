use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(inline)]
struct Demo {
    a: u8,
}

fn main() {}
