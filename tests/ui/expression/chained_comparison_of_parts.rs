use binfmt_runtime::BinFormat;
#[derive(BinFormat)]
struct Head {
    low: u8,
    high: u8,
}
#[derive(BinFormat)]
struct Demo {
    head: Head,
    #[bin(check(head.low < last < head.high, "out of range"))]
    last: u8,
}
fn main() {}
