use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct File<'a> {
    #[bin(section, len = 8)]
    texts: &'a [u8],
    #[bin(at = 1, len = 2, place = texts, view)]
    name: &'a [u8],
}

fn main() {}
