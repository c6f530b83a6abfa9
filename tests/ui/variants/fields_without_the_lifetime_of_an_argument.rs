use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(tag = kind, args(kind: u8, mark: &'a [u8]))]
enum Item<'a> {
    #[bin(id = 1)]
    One { number: u8, #[bin(if = mark == b"A")] other: Option<u8> },
    #[bin(id = 2)]
    Two(#[bin(until_end)] &'a [u8]),
}

fn main() {}
