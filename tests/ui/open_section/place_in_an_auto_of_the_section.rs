use binfmt_runtime::{Auto, BinFormat};

#[derive(BinFormat)]
struct Tree {
    root_at: Auto<u8>,
    #[bin(section = open, len = 8)]
    data: Vec<u8>,
    #[bin(at = root_at, place = data)]
    root: u8,
}

fn main() {}
