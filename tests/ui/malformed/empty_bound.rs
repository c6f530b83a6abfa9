use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(bound())]
struct Demo<T> {
    value: T,
}

fn main() {}
