use binfmt_runtime::BinFormat;
#[derive(BinFormat)]
struct Head {
    order: u8,
}
#[derive(BinFormat)]
#[bin(endian = head.order)]
struct Demo {
    head: Head,
    number: u16,
}
fn main() {}
