use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo<'a> {
    n: u8,
    #[bin(len = n, until_end)]
    data: &'a [u8],
}

fn main() {}
