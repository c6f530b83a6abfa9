use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(tag = kind & 3, args(kind: u8))]
enum Masked {
    #[bin(id = 3)]
    A,
    #[bin(id = 7)]
    B,
}

#[derive(BinFormat)]
#[bin(tag = kind >> 5, args(kind: u8))]
enum Shifted {
    #[bin(id = 7)]
    A,
    #[bin(id = 8)]
    B,
}

fn main() {}
