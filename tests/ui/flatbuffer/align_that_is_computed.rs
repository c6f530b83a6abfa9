use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(flatbuffer)]
struct Demo<'a> {
    #[bin(slot = 0)]
    align: u8,
    #[bin(slot = 1, align_before = align)]
    a: &'a [u8],
}

fn main() {}
