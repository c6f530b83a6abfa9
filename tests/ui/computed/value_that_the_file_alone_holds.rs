use binfmt_runtime::{Auto, BinFormat};

#[derive(BinFormat)]
#[bin(little, computed(body: u32 = size - 4))]
struct Value {
    size: Auto<u32>,
    #[bin(len = size)]
    data: Vec<u8>,
}

fn main() {}
