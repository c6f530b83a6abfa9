use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo<'a> {
    #[bin(lenn = 4, until_end = 3)]
    data: &'a [u8],
}

fn main() {}
