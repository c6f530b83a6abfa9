use binfmt_runtime::{BinFormat, Seq};

#[derive(BinFormat)]
#[bin(little)]
struct Demo<'a> {
    #[bin(until = remaining > 4)]
    items: Seq<'a, [u8; 4]>,
}

fn main() {}
