use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(tag = kind, args(kind: u8))]
enum Value {
    #[bin(other)]
    Other(u16),
}

fn main() {}
