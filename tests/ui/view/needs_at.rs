use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct File<'a> {
    #[bin(len = 2, view)]
    name: &'a [u8],
}

fn main() {}
