use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(computed(text: String = "one"))]
struct Demo {
    number: u8,
}

fn main() {}
