use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(computed())]
struct Value {
    number: u8,
}

fn main() {}
