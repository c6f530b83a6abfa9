use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    n: u8,
    #[bin(args(limit = n, limit = 4))]
    inner: Inner,
}

struct Inner;

fn main() {}
