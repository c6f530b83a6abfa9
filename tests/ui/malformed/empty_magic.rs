use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(magic = b"")]
struct Demo {
    a: u8,
}

fn main() {}
