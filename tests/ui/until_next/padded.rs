use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct File<'a> {
    #[bin(prefix = u8)]
    table: Vec<u16>,
    #[bin(for_each = table, at = it, until_next, align_after = 4)]
    bodies: Vec<&'a [u8]>,
}

fn main() {}
