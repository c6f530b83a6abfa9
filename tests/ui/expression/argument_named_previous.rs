use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(args(kind: u8))]
struct Item {
    own: u8,
    #[bin(if = kind == 1)]
    more: Option<u8>,
}

#[derive(BinFormat)]
#[bin(args(previous: u8 = 1))]
struct List {
    #[bin(until_end, args(kind = previous.own or 0))]
    items: Vec<Item>,
}

fn main() {}
