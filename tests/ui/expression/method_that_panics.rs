use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    size: u8,
    #[bin(if = size > 1)]
    more: Option<u8>,
    #[bin(len = more.unwrap())]
    data: Vec<u8>,
    #[bin(check(size.pow(2) < 9, "too many"))]
    end: u8,
}

fn main() {}
