use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Item {
    kind: u8,
}

#[derive(BinFormat)]
struct List {
    last: u8,
    #[bin(until = last.kind == 0)]
    items: Vec<Item>,
}

fn main() {}
