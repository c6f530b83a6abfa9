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
    #[bin(len = it.size)]
    body: &'a [u8],
}

fn main() {}
