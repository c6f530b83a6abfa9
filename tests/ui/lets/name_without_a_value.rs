use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(let(half number))]
struct Value {
    number: u8,
}

fn main() {}
