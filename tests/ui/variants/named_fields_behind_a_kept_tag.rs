use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(tag = kind, args(kind: u8))]
enum Item {
    #[bin(id = 1..=3)]
    One { kind: u8, number: u8 },
    #[bin(other)]
    Two { number: u8 },
}

fn main() {}
