use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(note(true, "there is one"))]
enum Item {
    One(One),
}

struct One;

fn main() {}
