use binfmt_runtime::BinFormat;

#[derive(BinFormat, Clone)]
struct Entry(u8, u8);

#[derive(BinFormat)]
struct Demo {
    entries: [Entry; 2],
    #[bin(for_each = entries, pad_before = it.1, set(it.1 = len(value)))]
    bodies: Vec<Entry>,
}

fn main() {}
