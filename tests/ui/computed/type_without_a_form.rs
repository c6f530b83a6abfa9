use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(computed(all: Vec<u16> = list_of(number)))]
struct Value {
    number: u8,
}

fn main() {}
