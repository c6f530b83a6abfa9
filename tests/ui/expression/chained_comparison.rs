use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    n: u8,
    #[bin(check(1 < n < 5, "{n} is out of range"))]
    a: u8,
}

fn main() {}
