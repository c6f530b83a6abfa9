use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(computed(number: u8 = 3))]
struct Value {
    number: u8,
}

fn main() {}
