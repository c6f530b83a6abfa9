use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Value {
    at: u8,
    #[bin(optional, magic = b"A", at = at)]
    number: Option<u8>,
}

fn main() {}
