use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo<'a> {
    offset: u32,
    #[bin(at = offset)]
    n: u8,
    #[bin(len = n)]
    data: &'a [u8],
}

fn main() {}
