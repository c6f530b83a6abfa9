use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    #[bin(trim = 0)]
    number: u8,
}

fn main() {}
