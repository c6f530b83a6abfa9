use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct File<'a> {
    #[bin(at = 1, until_next, view)]
    first: &'a [u8],
}

fn main() {}
