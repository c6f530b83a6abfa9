use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo<'a> {
    offset: u32,
    #[bin(at = offset)]
    a: u8,
    #[bin(at = offset, base = a, len = 1)]
    b: &'a [u8],
}

fn main() {}
