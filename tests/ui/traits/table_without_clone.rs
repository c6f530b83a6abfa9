use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Entry {
    offset: u8,
}

#[derive(BinFormat)]
struct Demo {
    #[bin(count = 2)]
    entries: Vec<Entry>,
    #[bin(for_each = entries, at = it.offset)]
    bodies: Vec<u8>,
}

fn main() {}
