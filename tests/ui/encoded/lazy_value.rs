use binfmt_runtime::{BinFormat, Encoded, Lazy, Seq, Zlib};

#[derive(BinFormat)]
#[bin(little)]
struct Demo<'a> {
    #[bin(prefix = u8)]
    body: Lazy<'a, Encoded<Zlib, Part>>,
    #[bin(prefix = u8)]
    bodies: Seq<'a, Encoded<Zlib, Part>>,
}
#[derive(BinFormat)]
struct Part(u8);

fn main() {}
