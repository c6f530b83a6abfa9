use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(flatbuffer)]
struct Demo<'a> {
    #[bin(slot = 0, len = 4)]
    a: &'a [u8],
}

fn main() {}
