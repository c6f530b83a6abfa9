use binfmt_runtime::{Auto, BinFormat};

#[derive(BinFormat)]
struct Record {
    name_at: Auto<u8>,
    #[bin(at = name_at, nul, place = around)]
    name: String,
}

fn main() {}
