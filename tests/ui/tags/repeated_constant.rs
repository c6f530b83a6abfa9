use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(tag = kind, args(kind: u8))]
enum Value {
    #[bin(id = u8::MAX)]
    One,
    #[bin(id = u8::MAX)]
    Two,
}

fn main() {}
