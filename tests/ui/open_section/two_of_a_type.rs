use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Two {
    #[bin(section = open, len = 4)]
    first: Vec<u8>,
    #[bin(section = open, len = 4)]
    second: Vec<u8>,
}

fn main() {}
