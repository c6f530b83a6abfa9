use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Value {
    #[bin(endian = inherit)]
    number: u16,
}

fn main() {}
