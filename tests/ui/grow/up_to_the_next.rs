use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct File<'a> {
    at: u8,
    #[bin(section, len = 4, grow = down)]
    space: &'a [u8],
    #[bin(at = at, base = space, place = space, until_next)]
    body: &'a [u8],
}

fn main() {}
