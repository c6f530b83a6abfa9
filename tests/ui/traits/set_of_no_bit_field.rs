use binfmt_runtime::BinFormat;
#[derive(BinFormat, Clone)]
#[bin(bits = u8)]
struct Head {
    #[bin(bits = 8)]
    size: u8,
}
#[derive(BinFormat)]
struct Demo {
    #[bin(set(sizes = 1))]
    head: Head,
}
fn main() {}
