use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(peek = 8)]
enum Item {
    One(One),
}

struct One;

fn main() {}
