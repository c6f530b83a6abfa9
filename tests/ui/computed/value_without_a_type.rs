use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(computed(half = number / 2))]
struct Value {
    number: u8,
}

fn main() {}
