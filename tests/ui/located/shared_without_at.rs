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
    size: u32,
    #[bin(len = size, shared)]
    body: &'a [u8],
}

fn main() {}
