use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(identifier = b"ABCD")]
struct Demo {
    a: u8,
}

fn main() {}
