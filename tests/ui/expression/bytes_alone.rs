use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Value {
    form: [u8; 2],
    #[bin(if = b"AB")]
    number: Option<u8>,
}

fn main() {}
