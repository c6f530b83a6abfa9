use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(tag = kind, args(kind: u8))]
enum Value {
    #[bin(id = kind)]
    Same,
}

fn main() {}
