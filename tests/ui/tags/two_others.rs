use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(tag = kind, args(kind: u8))]
enum Value {
    #[bin(other)]
    One(u8),
    #[bin(other)]
    Two(u8),
}

fn main() {}
