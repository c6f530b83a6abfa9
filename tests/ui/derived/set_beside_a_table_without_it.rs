use binfmt_runtime::BinFormat;

#[derive(BinFormat, Clone)]
struct Entry(u8, u8);

#[derive(BinFormat)]
struct Demo {
    entries: [Entry; 2],
    #[bin(for_each = entries, set(size = 1))]
    bodies: Vec<Entry>,
}

fn main() {}
