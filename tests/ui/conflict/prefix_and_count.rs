use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    count: u8,
    #[bin(prefix = u8, count = count)]
    items: Vec<Item>,
}

struct Item;

fn main() {}
