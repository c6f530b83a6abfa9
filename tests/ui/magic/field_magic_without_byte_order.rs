use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Value {
    #[bin(magic = 42u16)]
    number: u8,
}

fn main() {}
