use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    n: u8,
    #[bin(check(any(|n| n > 0), "none"))]
    a: u8,
}

fn main() {}
