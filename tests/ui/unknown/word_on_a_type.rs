use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(endian = big)]
struct Demo {
    a: u8,
}

fn main() {}
