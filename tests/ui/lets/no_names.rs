use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(let())]
struct Value {
    number: u8,
}

fn main() {}
