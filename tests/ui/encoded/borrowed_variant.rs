use binfmt_runtime::{BinFormat, Encoded, Xor};

#[derive(BinFormat)]
enum Demo<'a> {
    #[bin(magic = b"A", codec = Xor(9))]
    Part(Encoded<Xor, Part<'a>>),
}
struct Part<'a>(&'a u8);

fn main() {}
