use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Item(u8);

#[derive(BinFormat)]
struct Demo {
    #[bin(prefix = u8, unique)]
    items: Vec<Item>,
}

fn main() {}
