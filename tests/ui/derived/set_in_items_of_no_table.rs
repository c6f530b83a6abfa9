use binfmt_runtime::BinFormat;

#[derive(BinFormat, Clone)]
struct Entry(u8, u8);

#[derive(BinFormat)]
struct Demo {
    #[bin(set(it.0 = 1))]
    entry: Entry,
}

fn main() {}
