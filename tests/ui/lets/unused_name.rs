use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(let(half = number / 2))]
struct Value {
    number: u8,
}

fn main() {}
