use binfmt_runtime::BinFormat;

#[derive(Clone, Copy)]
struct Key(u8);

#[derive(BinFormat)]
#[bin(args(count: u8, key: Key))]
pub struct Demo {
    #[bin(len = count, check(key.0 > 2, "no"))]
    data: Vec<u8>,
}

fn main() {}
