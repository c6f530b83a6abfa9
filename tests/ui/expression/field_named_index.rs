use binfmt_runtime::BinFormat;

#[derive(BinFormat, Clone)]
struct Item {
    number: u8,
    len: u8,
}

#[derive(BinFormat)]
struct Table {
    index: u8,
    #[bin(prefix = u8)]
    items: Vec<Item>,
    #[bin(for_each = items, len = it.len, if = index > 0)]
    values: Vec<Option<Vec<u8>>>,
}

fn main() {}
