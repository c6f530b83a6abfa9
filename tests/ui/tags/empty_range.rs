use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(tag = kind, args(kind: u8))]
enum Value {
    #[bin(id = 3..=1)]
    Few(u8),
}

fn main() {}
