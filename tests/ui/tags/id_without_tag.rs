use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(probe)]
enum Value {
    #[bin(id = 1)]
    One(Empty),
}

#[derive(BinFormat)]
struct Empty {}

fn main() {}
