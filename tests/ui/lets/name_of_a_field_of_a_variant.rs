use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(args(k: u8), let(size = k + 1))]
enum Value {
    #[bin(magic = 1u8)]
    Sized { size: u8, #[bin(len = size)] data: Vec<u8> },
    #[bin(magic = 2u8)]
    Plain { #[bin(len = size)] data: Vec<u8> },
}

fn main() {}
