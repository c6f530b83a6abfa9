use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    at: u8,
    #[bin(at = at, count = 2)]
    lens: Vec<u8>,
    #[bin(for_each = lens, len = it)]
    texts: Vec<Vec<u8>>,
}

fn main() {}
