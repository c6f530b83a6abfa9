use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(endian = order(kind))]
struct Value {
    number: u16,
    kind: u8,
}

fn main() {}
