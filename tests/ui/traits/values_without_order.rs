use binfmt_runtime::BinFormat;
#[derive(BinFormat, PartialEq)]
struct Name(u8);
#[derive(BinFormat)]
struct Demo {
    low: Name,
    high: Name,
    #[bin(check(low < high, "out of order"))]
    last: u8,
}
fn main() {}
