use binfmt_runtime::{Auto, BinFormat};

#[derive(BinFormat)]
#[bin(little, tag = kind, args(kind: u32))]
enum Body<'a> {
    #[bin(id = 1)]
    Text(Text<'a>),
    #[bin(id = 2)]
    Bytes(&'a [u8]),
}

#[derive(BinFormat)]
#[bin(little, args(len: u16, wide: bool), cuont)]
struct Text<'a> {
    #[bin(len = len)]
    text: &'a str,
}

#[derive(BinFormat)]
#[bin(little)]
struct Demo<'a> {
    #[bin(calc = tag(body))]
    kind: Auto<u32>,
    len: Auto<u16>,
    #[bin(args(kind))]
    body: Body<'a>,
    #[bin(len = len, args(len = 3, wide = true))]
    text: Text<'a>,
}

fn main() {}
