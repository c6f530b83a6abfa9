use binfmt_runtime::BinFormat;

#[derive(BinFormat, Clone)]
struct Entry(u8, u8);

#[derive(BinFormat)]
struct Demo {
    entries: [Entry; 2],
    #[bin(for_each = entries, len = it.0, set(it.0 = 1))]
    bodies: Vec<Entry>,
}

fn main() {}
