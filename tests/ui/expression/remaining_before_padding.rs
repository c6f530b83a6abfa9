use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(align_after = 4)]
struct Demo<'a> {
    #[bin(len = remaining - 1)]
    data: &'a [u8],
    last: u8,
}

fn main() {}
