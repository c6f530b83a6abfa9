use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(computed(half: u8 = number / 2, twice: u16 = number * 2))]
struct Value {
    number: u8,
}

fn main() {}
