use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(computed(first: u8 = second + 1), computed(second: u8 = first + number))]
struct Value {
    number: u8,
}

fn main() {}
