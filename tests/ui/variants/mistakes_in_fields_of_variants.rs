use binfmt_runtime::{Auto, BinFormat};

#[derive(BinFormat)]
enum Item {
    #[bin(magic = b"A")]
    One { text: String, number: u16 },
    #[bin(magic = b"B")]
    Two(u8, #[bin(cuont = 2)] Vec<u8>),
    #[bin(magic = b"C")]
    Three { len: Auto<u8>, #[bin(len = lem)] bytes: Vec<u8> },
    #[bin(magic = b"D")]
    Four(#[bin(until_end)] &'static [u8]),
}

fn main() {}
