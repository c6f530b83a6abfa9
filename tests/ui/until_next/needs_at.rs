use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct File<'a> {
    #[bin(until_next)]
    body: &'a [u8],
}

fn main() {}
