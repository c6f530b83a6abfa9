use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Value {
    #[bin(calc = tag(number))]
    kind: u8,
    number: u8,
}

fn main() {}
