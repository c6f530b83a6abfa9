use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Pair<T> {
    a: T,
    b: T,
}

#[derive(BinFormat)]
struct Demo {
    pair: Pair<String>,
}

fn main() {}
