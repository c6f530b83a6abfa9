use binfmt_runtime::BinFormat;

#[derive(BinFormat, Clone)]
struct Size {
    low: u8,
}

#[derive(BinFormat)]
struct Demo {
    size: Size,
    #[bin(len = size)]
    data: Vec<u8>,
}

fn main() {}
