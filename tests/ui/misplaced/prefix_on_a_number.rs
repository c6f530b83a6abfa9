use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    #[bin(prefix = u8)]
    number: u8,
}

fn main() {}
