use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Entry {
    size: u8,
}

#[derive(BinFormat)]
#[bin(args(entry: &Entry))]
struct Demo {
    #[bin(len = entry.size)]
    bytes: Vec<u8>,
}

fn main() {}
