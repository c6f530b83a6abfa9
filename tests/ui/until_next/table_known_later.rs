use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct File<'a> {
    at: u8,
    #[bin(at = at, until_next)]
    first: &'a [u8],
    #[bin(prefix = u8)]
    table: Vec<u16>,
    #[bin(for_each = table, at = it, len = 2)]
    bodies: Vec<&'a [u8]>,
}

fn main() {}
