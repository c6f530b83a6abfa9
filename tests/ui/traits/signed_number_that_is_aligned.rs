use binfmt_runtime::BinFormat;
#[derive(BinFormat)]
struct Head {
    size: i8,
}
#[derive(BinFormat)]
struct Demo {
    head: Head,
    #[bin(len = align_up(head.size, 4))]
    data: Vec<u8>,
}
fn main() {}
