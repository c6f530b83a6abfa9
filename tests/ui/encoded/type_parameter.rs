use binfmt_runtime::{BinFormat, Encoded, Zlib};

#[derive(BinFormat)]
#[bin(little)]
struct Demo<T> {
    #[bin(prefix = u8)]
    body: Encoded<Zlib, T>,
}

fn main() {}
