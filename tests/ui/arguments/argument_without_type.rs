use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(args(limit))]
struct Demo {
    #[bin(check(a < limit, "{a} is too much"))]
    a: u8,
}

fn main() {}
