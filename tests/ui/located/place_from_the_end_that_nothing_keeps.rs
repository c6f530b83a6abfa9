use binfmt_runtime::{Auto, BinFormat};

#[derive(BinFormat)]
struct Demo {
    #[bin(section, len = remaining - 1)]
    rows: Vec<u8>,
    footer_len: Auto<u8>,
    #[bin(at = len(rows) - footer_len, place = rows, len = footer_len)]
    footer: Vec<u8>,
}

fn main() {}
