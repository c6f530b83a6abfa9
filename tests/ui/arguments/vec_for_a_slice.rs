use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(args(names: &'a [u8]))]
struct Inner<'a> {
    #[bin(len = names.len())]
    bytes: &'a [u8],
}

#[derive(BinFormat)]
struct Demo<'a> {
    #[bin(len = 2)]
    names: Vec<u8>,
    #[bin(args(names))]
    inner: Inner<'a>,
}

fn main() {}
