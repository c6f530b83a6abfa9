use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct File<'a> {
    #[bin(at = 1, count = 2, view)]
    table: Vec<u16>,
    #[bin(for_each = table, at = it, len = 2)]
    bodies: Vec<&'a [u8]>,
}

fn main() {}
