use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[repr(u8)]
enum Item {
    One = 1,
    #[bin(other)]
    Other(#[bin(range = 4..)] u8),
}

#[derive(BinFormat)]
#[bin(tag = kind, args(kind: u8))]
enum Shape {
    #[bin(id = 1..=3)]
    Several(#[bin(range = 1..=2)] u8, One),
}

struct One;

fn main() {}
