use binfmt_runtime::BinFormat;

#[derive(BinFormat, Clone)]
struct Entry(u8, u8);

#[derive(BinFormat)]
struct Demo {
    entries: [Entry; 2],
    #[bin(for_each = entries, len = it.0 + f(it), set(it.1 = 1))]
    bodies: Vec<Entry>,
}

fn f(_: &Entry) -> u8 { 0 }
fn main() {}
