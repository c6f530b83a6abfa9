use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(tag = kind, args(kind: u8))]
enum Demo {
    #[bin(id = 1, args(most = kind))]
    Both((u8, Point)),
}

#[derive(BinFormat)]
#[bin(args(most: u8), check(x < most, "too much"))]
struct Point {
    x: u8,
}

fn main() {}
