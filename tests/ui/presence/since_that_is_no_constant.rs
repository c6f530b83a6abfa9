use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(version = version)]
struct Value {
    version: u8,
    #[bin(since = version)]
    number: Option<u8>,
}

fn main() {}
