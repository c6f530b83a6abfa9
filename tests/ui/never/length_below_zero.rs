use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    #[bin(len = 4 - 5)]
    bytes: Vec<u8>,
}

fn main() {}
