use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct File {
    #[bin(at = 1, count = 2, view)]
    items: Vec<Item>,
}

#[derive(BinFormat)]
struct Item(u8);

fn main() {}
