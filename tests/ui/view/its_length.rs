use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct File {
    #[bin(calc = len(item))]
    len: u8,
    #[bin(at = 1, view)]
    item: Item,
}

#[derive(BinFormat)]
struct Item(u8);

fn main() {}
