use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(magic = "RIFF")]
struct Demo {
    a: u8,
}

fn main() {}
