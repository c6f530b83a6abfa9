use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    #[bin(with = table)]
    entries: Vec<u8>,
    #[bin(for_each = entries, at = it)]
    numbers: Vec<u8>,
}

fn main() {}
