use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    #[bin(map(u16, from_stored, into_stored))]
    value: char,
}

fn main() {}
