use binfmt_runtime::{Auto, BinFormat};

#[derive(BinFormat)]
struct Demo {
    count: Auto<u8>,
    #[bin(count = usize::from(count))]
    items: Vec<i8>,
}

fn main() {}
