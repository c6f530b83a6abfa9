use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo<'a> {
    n: u8,
    #[bin(len = n, len = 4)]
    data: &'a [u8],
}

fn main() {}
