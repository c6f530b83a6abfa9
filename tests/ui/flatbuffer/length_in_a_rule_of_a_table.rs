use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(flatbuffer)]
struct Demo<'a> {
    #[bin(slot = 0, check(len(a) > 0, "empty"))]
    a: &'a [u8],
}

fn main() {}
