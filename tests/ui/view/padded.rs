use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct File<'a> {
    #[bin(at = 1, len = 2, pad_after = 2, view)]
    name: &'a [u8],
}

fn main() {}
