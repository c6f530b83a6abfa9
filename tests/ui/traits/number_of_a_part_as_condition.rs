use binfmt_runtime::BinFormat;
#[derive(BinFormat)]
struct Head {
    size: u8,
}
#[derive(BinFormat)]
struct Demo {
    head: Head,
    #[bin(if = !head.size)]
    extra: Option<u8>,
}
fn main() {}
