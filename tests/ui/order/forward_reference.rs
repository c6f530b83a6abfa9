use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo<'a> {
    #[bin(len = n)]
    data: &'a [u8],
    n: u8,
}

fn main() {}
