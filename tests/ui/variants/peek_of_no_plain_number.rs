use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(peek = 8u16)]
enum Item {
    #[bin(magic = b"ONE")]
    One(One),
}

struct One;

fn main() {}
