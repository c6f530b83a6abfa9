use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    #[bin(len = 4, map([u8; 4], from_stored, into_stored))]
    value: String,
}

fn main() {}
