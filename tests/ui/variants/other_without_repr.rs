use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
enum Item {
    #[bin(other)]
    One(One),
}

struct One;

fn main() {}
