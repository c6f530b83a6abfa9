use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo<'a> {
    #[bin(calc = 4, until_end)]
    data: &'a [u8],
}

fn main() {}
