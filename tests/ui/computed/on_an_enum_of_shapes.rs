use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(args(k: u8), computed(half: u8 = k / 2))]
enum Value {
    #[bin(magic = 1u8)]
    Sized { #[bin(len = half)] data: Vec<u8> },
}

fn main() {}
