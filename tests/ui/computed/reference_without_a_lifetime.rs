use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(computed(name: &str = name_of(number)))]
struct Value {
    number: u8,
}

fn main() {}
