use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(endian = order(kind))]
struct Value {
    #[bin(calc = 1)]
    kind: binfmt_runtime::Auto<u8>,
}

fn main() {}
