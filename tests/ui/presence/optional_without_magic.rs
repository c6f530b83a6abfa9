use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Value {
    #[bin(optional)]
    number: Option<u8>,
}

fn main() {}
