use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    #[bin(until = last == 0 && remaining < 4)]
    numbers: Vec<i8>,
}

#[derive(BinFormat)]
struct Other {
    #[bin(until = last.code == remaining)]
    items: Vec<Item>,
}

#[derive(BinFormat)]
struct Item {
    code: u8,
}

fn main() {}
