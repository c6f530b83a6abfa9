use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(tag = kind, args(kind: u8))]
enum Value {
    #[bin(id = 1 | 2)]
    Few,
}

fn main() {}
