use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo<'a> {
    #[bin(count = 2)]
    sizes: Vec<u32>,
    #[bin(for_each = sizes, len = len(it))]
    names: Vec<&'a [u8]>,
}

fn main() {}
