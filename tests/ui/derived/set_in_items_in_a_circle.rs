use binfmt_runtime::BinFormat;

#[derive(BinFormat, Clone)]
struct Entry(u8, u8);

#[derive(BinFormat)]
struct Demo {
    entries: [Entry; 2],
    #[bin(for_each = entries, set(it.0 = it.1 + 1, it.1 = it.0))]
    bodies: Vec<Entry>,
}

fn main() {}
