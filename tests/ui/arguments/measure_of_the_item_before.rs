use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    #[bin(prefix = u8, args(kind = tag(previous) or 0))]
    items: Vec<Item>,
}

#[derive(BinFormat)]
#[bin(args(kind: u32))]
struct Item;

fn main() {}
