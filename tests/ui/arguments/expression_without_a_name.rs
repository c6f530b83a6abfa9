use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    n: u8,
    #[bin(args(n + 1))]
    inner: Inner,
}

struct Inner;

fn main() {}
