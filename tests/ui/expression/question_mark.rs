use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo<'a> {
    n: u8,
    #[bin(len = size(n)?)]
    data: &'a [u8],
}

fn main() {}
