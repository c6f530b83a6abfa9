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
    offset: u32,
    #[bin(at = offset, shared)]
    number: u32,
    #[bin(len = 3)]
    rest: &'a [u8],
}

fn main() {}
