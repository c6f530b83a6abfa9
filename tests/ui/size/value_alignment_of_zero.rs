use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(align_after = 0)]
struct Demo {
    a: u8,
}

fn main() {}
