use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(peek = 8)]
struct Item {
    value: u8,
}

fn main() {}
