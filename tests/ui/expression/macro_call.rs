use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    n: u8,
    #[bin(check(matches!(n, 1), "n is not 1"))]
    a: u8,
}

fn main() {}
