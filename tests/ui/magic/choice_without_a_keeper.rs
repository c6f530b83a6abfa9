use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(magic = [b"II", b"MM"])]
struct Value {
    number: u8,
}

fn main() {}
