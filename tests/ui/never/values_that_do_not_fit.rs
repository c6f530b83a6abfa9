use binfmt_runtime::{Auto, BinFormat};

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(len = 2, count = 3)]
    counted: Vec<u16>,
    #[bin(pad_to = 2)]
    array: [u8; 4],
    #[bin(pad_to = 8, count = 5)]
    padded: Vec<u16>,
    #[bin(calc = 300)]
    byte: u8,
    #[bin(len = 6, count = 3)]
    fits: Vec<u16>,
    #[bin(pad_to = 8)]
    room: [[u8; 2]; 4],
    #[bin(pad_to = 1)]
    number: Auto<u16>,
    #[bin(len = number)]
    data: Vec<u8>,
}

fn main() {}
