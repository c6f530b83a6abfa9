use binfmt_runtime::BinFormat;
#[derive(BinFormat, Clone)]
struct Head {
    some: bool,
}
#[derive(BinFormat)]
struct Demo {
    #[bin(set(some = len(data)))]
    head: Head,
    #[bin(until_end)]
    data: Vec<u8>,
}
fn main() {}
