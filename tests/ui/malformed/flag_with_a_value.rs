use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo<'a> {
    #[bin(until_end = true)]
    data: &'a [u8],
}

fn main() {}
