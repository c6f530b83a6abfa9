use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo<'a> {
    #[bin(until = last.name == "END")]
    items: Vec<Item<'a>>,
}

#[derive(BinFormat)]
struct Item<'a> {
    #[bin(len = 4)]
    name: &'a [u8],
}

fn main() {}
