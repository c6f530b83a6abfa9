use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little, level(gap = error, padding = error))]
struct Demo<T> {
    at: u8,
    #[bin(at = at)]
    value: T,
}

fn main() {}
