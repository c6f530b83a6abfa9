use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(endian = "big")]
struct Demo {
    n: u8,
    #[bin(count = "n")]
    list: Vec<i8>,
    #[bin(if = "n > 3", check("n > 2", "the number is small"))]
    more: Option<u8>,
}

fn main() {}
