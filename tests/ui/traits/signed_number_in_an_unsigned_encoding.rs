use binfmt_runtime::encodings::Vlq;
use binfmt_runtime::{BinFormat, Coded};

#[derive(BinFormat)]
struct Demo {
    delta: Coded<Vlq<4>, i32>,
}

fn main() {}
