use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Value {
    #[bin(flag = flags & 4)]
    number: Option<u8>,
    flags: u8,
}

fn main() {}
