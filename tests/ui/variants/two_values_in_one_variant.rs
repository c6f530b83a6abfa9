use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
enum Item {
    One(One, Two),
}

struct One;
struct Two;

fn main() {}
