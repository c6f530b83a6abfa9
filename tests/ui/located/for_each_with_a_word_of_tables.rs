use binfmt_runtime::{Auto, BinFormat};

#[derive(BinFormat, Clone)]
#[bin(little)]
struct Row {
    at: u32,
}

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    count: Auto<u8>,
    #[bin(count = count)]
    rows: Vec<Row>,
    #[bin(for_each = rows, at = it.at, required)]
    values: Vec<u16>,
}

fn main() {}
