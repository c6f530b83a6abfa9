use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo<'a> {
    size: u8,
    #[bin(prefix = u8, len = size)]
    data: &'a [u8],
}

fn main() {}
