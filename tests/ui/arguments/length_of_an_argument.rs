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
#[bin(tag = (kind, more), args(kind: u8, more: u8))]
enum Kept {
    #[bin(id = (1, 0..=7))]
    Several((u8, u8), #[bin(len = _0)] Vec<u8>),
}

#[derive(BinFormat)]
enum One {
    #[bin(magic = b"A")]
    One(#[bin(len = _0)] Vec<u8>),
    #[bin(magic = b"B", args(len = _0))]
    Two(Demo2),
}

#[derive(BinFormat)]
#[bin(args(len: u8))]
struct Demo2 {
    #[bin(len = len)]
    body: Vec<u8>,
}

fn main() {}
