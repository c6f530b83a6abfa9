use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(computed(half: Option<u8> = number / 2))]
struct Demo {
    number: u8,
}

fn main() {}
