use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo<'a> {
    n: u8,
    #[bin(len = 0..n)]
    data: &'a [u8],
}

fn main() {}
