use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(endian = little)]
struct Value {
    number: u16,
}

fn main() {}
