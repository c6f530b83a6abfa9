use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(endian = order(kind), magic = 42u16)]
struct Value {
    kind: u8,
}

fn main() {}
