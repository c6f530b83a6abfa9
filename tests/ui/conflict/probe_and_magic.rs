use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(probe)]
enum Item {
    #[bin(magic = b"A")]
    One(One),
}

struct One;

fn main() {}
