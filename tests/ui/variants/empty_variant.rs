use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
enum Item {
    #[bin(magic = b"A")]
    One(One),
    Two,
}

struct One;

fn main() {}
