use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Value {
    #[bin(calc = 3)]
    flags: u8,
    #[bin(flag = flags & 4)]
    number: Option<u8>,
}

fn main() {}
