use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(computed(half: u8))]
struct Value {
    number: u8,
}

fn main() {}
