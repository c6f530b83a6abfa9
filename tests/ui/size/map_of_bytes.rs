use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    #[bin(map(Vec<u8>, from_stored, into_stored))]
    value: char,
}

fn main() {}
