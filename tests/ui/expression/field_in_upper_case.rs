use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo<'a> {
    Size: u8,
    #[bin(len = Size)]
    data: &'a [u8],
}

fn main() {}
