use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Pair<T> {
    a: T,
    b: T,
}

#[derive(BinFormat)]
struct Demo {
    pair: Pair<u16>,
}

fn main() {}
