use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(version = version)]
struct Value {
    version: u8,
    #[bin(since = 2)]
    number: u8,
}

fn main() {}
