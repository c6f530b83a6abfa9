use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    n: u8,
    #[bin(count = n)]
    items: Vec<u16>,
}

fn main() {}
