use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(probe)]
enum Item {
    One(One),
    Two,
}

struct One;

fn main() {}
