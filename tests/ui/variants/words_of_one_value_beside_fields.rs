use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(tag = kind, args(kind: u8))]
enum Item {
    #[bin(id = 1, args(kind))]
    One { number: u8, other: Other },
    #[bin(id = 2, until_codec)]
    Two(#[bin(until_end)] Vec<u8>),
}

#[derive(BinFormat)]
#[bin(args(kind: u8))]
struct Other {
    #[bin(if = kind > 2)]
    number: Option<u8>,
}

fn main() {}
