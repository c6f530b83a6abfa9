use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(check(n == "one", "it is not one"))]
    n: u16,
}

fn main() {}
