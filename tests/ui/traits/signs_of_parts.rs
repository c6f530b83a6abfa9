use binfmt_runtime::BinFormat;
#[derive(BinFormat)]
struct Head {
    low: u8,
    high: i8,
}
#[derive(BinFormat)]
struct Demo {
    head: Head,
    #[bin(len = min(head.low, head.high))]
    data: Vec<u8>,
}
fn main() {}
