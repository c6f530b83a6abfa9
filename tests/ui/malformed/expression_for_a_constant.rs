use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    at: u8,
    #[bin(at = at, null = 1 + 2)]
    value: Option<u8>,
}

fn main() {}
