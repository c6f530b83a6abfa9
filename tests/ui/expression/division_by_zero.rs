use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    n: u8,
    #[bin(check(n % 0 == 1, "odd"))]
    a: u8,
}

fn main() {}
