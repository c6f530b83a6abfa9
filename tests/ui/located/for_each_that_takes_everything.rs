use binfmt_runtime::BinFormat;

#[derive(BinFormat, Clone)]
#[bin(little)]
struct Entry {
    offset: u32,
    size: u32,
}

#[derive(BinFormat)]
#[bin(little)]
struct Demo<'a> {
    #[bin(count = 2)]
    entries: Vec<Entry>,
    #[bin(for_each = entries, until_end)]
    bodies: Vec<&'a [u8]>,
}

fn main() {}
