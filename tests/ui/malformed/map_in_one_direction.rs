use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    #[bin(map(u8, from_stored))]
    value: char,
}

fn main() {}
