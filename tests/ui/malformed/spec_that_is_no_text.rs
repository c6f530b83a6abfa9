use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(spec = 4)]
struct Demo {
    a: u8,
}

fn main() {}
