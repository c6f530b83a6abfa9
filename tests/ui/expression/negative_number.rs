use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    n: i8,
    #[bin(check(n > -n, "n is negative"))]
    a: u8,
}

fn main() {}
