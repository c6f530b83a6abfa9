use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo<'a> {
    #[bin(len)]
    data: &'a [u8],
}

fn main() {}
