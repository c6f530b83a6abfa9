use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo<'a> {
    size: u32,
    #[bin(len = sise)]
    data: &'a [u8],
}

fn main() {}
