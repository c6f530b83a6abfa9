use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
enum Kind {
    One = 1,
    Two = 2,
}

fn main() {}
