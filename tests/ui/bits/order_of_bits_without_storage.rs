use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(lsb)]
struct Demo {
    low: u8,
}

fn main() {}
