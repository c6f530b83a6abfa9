use binfmt_runtime::BinFormat;
#[derive(BinFormat)]
struct Head {
    size: u8,
}
#[derive(BinFormat)]
struct Demo {
    head: Head,
    on: bool,
    #[bin(check(head.size == on, "another size"))]
    last: u8,
}
fn main() {}
