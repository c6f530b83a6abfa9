use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(args(n: u8))]
struct Inner {
    #[bin(len = n)]
    data: Vec<u8>,
}

#[derive(BinFormat)]
struct Outer {
    n: u8,
    m: u8,
    #[bin(args(n, m))]
    inner: Inner,
}

fn main() {}
