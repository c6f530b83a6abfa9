use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little, endian = inherit)]
struct Value {
    number: u16,
}

fn main() {}
