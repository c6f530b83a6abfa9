use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct File<'a> {
    at: u8,
    #[bin(prefix = u8)]
    table: Vec<u16>,
    #[bin(at = at, align_before = 4)]
    note: u32,
    #[bin(for_each = table, at = it, until_next)]
    bodies: Vec<&'a [u8]>,
}

fn main() {}
