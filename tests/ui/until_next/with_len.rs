use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct File<'a> {
    at: u8,
    #[bin(at = at, len = 2, until_next)]
    body: &'a [u8],
}

fn main() {}
