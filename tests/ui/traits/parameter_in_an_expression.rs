use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Pair<T> {
    #[bin(check(a > 0, "zero"))]
    a: T,
    b: T,
}

fn main() {}
