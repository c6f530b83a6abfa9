use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    #[bin(range = 1..300)]
    number: u8,
}

fn main() {}
