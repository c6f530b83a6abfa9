use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct File<'a> {
    at: binfmt_runtime::Auto<u8>,
    #[bin(at = at, len = 2, view)]
    name: &'a [u8],
}

fn main() {}
