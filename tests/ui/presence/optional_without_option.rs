use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Value {
    #[bin(optional, magic = b"A")]
    number: u8,
}

fn main() {}
