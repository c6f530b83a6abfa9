use binfmt_runtime::BinFormat;
#[derive(BinFormat, Clone)]
struct Head {
    size: u8,
}
#[derive(BinFormat)]
struct Demo {
    #[bin(set(size = len(data) > 2))]
    head: Head,
    #[bin(until_end)]
    data: Vec<u8>,
}
fn main() {}
