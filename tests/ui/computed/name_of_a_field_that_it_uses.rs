use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(computed(number: u16 = number * 2))]
struct Demo {
    number: u8,
}

fn main() {}
