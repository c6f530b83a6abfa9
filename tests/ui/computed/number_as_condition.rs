use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(computed(odd: bool = number & 1))]
struct Value {
    number: u8,
}

fn main() {}
