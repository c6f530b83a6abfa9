use binfmt_runtime::BinFormat;

#[derive(BinFormat, Clone)]
#[bin(little)]
struct Entry {
    offset: u32,
}

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(count = 2)]
    entries: Vec<Entry>,
    #[bin(for_each = entries, at = it.offset, until = remaining < 2)]
    bodies: Vec<Vec<u16>>,
}

fn main() {}
