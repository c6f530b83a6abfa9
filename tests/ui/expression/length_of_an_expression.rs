use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    n: u8,
    #[bin(calc = len(n + 1))]
    a: u8,
}

fn main() {}
