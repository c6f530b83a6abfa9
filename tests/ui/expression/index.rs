use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo<'a> {
    n: [u8; 2],
    #[bin(len = n[0])]
    data: &'a [u8],
}

fn main() {}
