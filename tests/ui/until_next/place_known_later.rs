use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct File<'a> {
    at: u8,
    #[bin(at = at, until_next)]
    first: &'a [u8],
    second_at: u8,
    #[bin(at = second_at, len = 2)]
    second: &'a [u8],
}

fn main() {}
