use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    #[bin(bits = 8)]
    low: u8,
}

fn main() {}
