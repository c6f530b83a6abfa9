use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(endian = magic, magic = b"AB")]
struct Value {
    number: u8,
}

fn main() {}
