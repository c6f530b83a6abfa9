use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(tag = kind, args(kind: i8))]
enum Value {
    #[bin(id = 1)]
    One,
}

fn main() {}
