use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    #[bin(map([u8; 4], from, into))]
    entries: Vec<u8>,
    #[bin(for_each = entries, at = it)]
    numbers: Vec<u8>,
}

fn main() {}
