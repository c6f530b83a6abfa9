use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo<'a> {
    offset: u32,
    #[bin(calc = start(data))]
    begin: u32,
    #[bin(at = offset, len = 4)]
    data: &'a [u8],
}

fn main() {}
