use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo<'a> {
    #[bin(prefix = u8)]
    sizes: &'a [u8],
    #[bin(for_each = sizes, len = it)]
    bodies: Vec<&'a [u8]>,
}

fn main() {}
