use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(computed(text: String = number > 2))]
struct Demo {
    number: u8,
}

fn main() {}
