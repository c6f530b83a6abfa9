use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Value {
    version: u8,
    #[bin(since = 2)]
    number: Option<u8>,
}

fn main() {}
