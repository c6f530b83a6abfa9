use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo<'a> {
    root: u32,
    #[bin(until_end, root = root)]
    a: &'a [u8],
}

fn main() {}
