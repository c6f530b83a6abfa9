use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Value {
    #[bin(optional, magic = b"A", pad_before = 2)]
    number: Option<u8>,
}

fn main() {}
