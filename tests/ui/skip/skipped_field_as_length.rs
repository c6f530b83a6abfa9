use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(skip)]
    size: u8,
    #[bin(len = size)]
    data: Vec<u8>,
}

fn main() {}
