use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    n: u8,
    #[bin(check(n > -1, "n is negative"))]
    a: u8,
}

fn main() {}
