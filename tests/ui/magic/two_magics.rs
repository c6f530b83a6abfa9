use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(magic = b"AB", magic = b"CD")]
struct Value {
    number: u8,
}

fn main() {}
