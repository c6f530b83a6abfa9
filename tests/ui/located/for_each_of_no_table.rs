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
    entries: u32,
    #[bin(for_each = entries, at = it, len = 4)]
    bodies: Vec<&'a [u8]>,
}

fn main() {}
