use binfmt_runtime::BinFormat;

#[derive(BinFormat, Clone)]
struct Item {
    number: u8,
    len: u8,
}

#[derive(BinFormat, Clone)]
struct Head {
    all: u8,
    #[bin(prefix = u8)]
    items: Vec<Item>,
}

#[derive(BinFormat)]
struct Table {
    group: u8,
    head: Head,
    #[bin(for_each = head.items, len = it.len, if = group.all > 0)]
    values: Vec<Option<Vec<u8>>>,
}

fn main() {}
