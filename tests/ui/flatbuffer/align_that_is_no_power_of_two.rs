use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(flatbuffer)]
struct Demo<'a> {
    #[bin(slot = 0, align_before = 24)]
    a: &'a [u8],
}

fn main() {}
