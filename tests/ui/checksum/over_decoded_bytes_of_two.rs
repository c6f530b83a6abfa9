use binfmt_runtime::{BinFormat, Encoded, Xor};

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(prefix = u8, codec = Xor(9))]
    body: Encoded<Xor, Part>,
    #[bin(checksum(Crc32, over = decoded(body, sum)))]
    sum: u32,
}
struct Part;

fn main() {}
