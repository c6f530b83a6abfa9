use binfmt_runtime::{BinFormat, Coded, Leb};

#[derive(BinFormat)]
struct Value {
    #[bin(big)]
    number: Coded<Leb, u32>,
}

fn main() {}
