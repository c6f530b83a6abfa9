use binfmt_runtime::BinFormat;
struct Size;
#[derive(BinFormat)]
struct Demo {
    #[bin(len = len_of(size()))]
    data: Vec<u8>,
}
fn size() -> Size { Size }
fn len_of(size: u16) -> u16 {
    size
}
fn main() {}
