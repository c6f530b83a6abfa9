use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(args(name: &'a str))]
struct Demo<'a> {
    #[bin(len = len(name))]
    body: &'a [u8],
}

#[derive(BinFormat)]
struct Last {
    first: u8,
    #[bin(len = last)]
    body: Vec<u8>,
}

#[derive(BinFormat)]
enum Kept {
    #[bin(magic = 0x80u8..=0x8f)]
    Several(u8, #[bin(len = _0 & 15)] Vec<u8>),
}

fn main() {}
