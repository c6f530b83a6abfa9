use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Value {
    flags: u8,
    #[bin(flag = flags == 4)]
    number: Option<u8>,
}

fn main() {}
