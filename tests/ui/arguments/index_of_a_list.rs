use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    #[bin(prefix = u8, args(number = index))]
    items: Vec<Item>,
}

#[derive(BinFormat)]
#[bin(args(number: u32))]
struct Item;

fn main() {}
