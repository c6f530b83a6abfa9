use binfmt_runtime::BinFormat;

#[derive(BinFormat, Clone)]
struct Item {
    number: u8,
    len: u8,
}

#[derive(BinFormat)]
struct Table {
    value: u8,
    #[bin(prefix = u8)]
    items: Vec<Item>,
    #[bin(for_each = items, len = it.len, set(it.number = len(value)))]
    values: Vec<Vec<u8>>,
}

fn main() {}
