use binfmt_runtime::{BinFormat, Encoded, Xor};

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    sizes: [u8; 4],
    #[bin(for_each = sizes, len = it, codec = Xor(9))]
    bodies: Vec<Encoded<Xor, Part>>,
    #[bin(checksum(Crc32, over = decoded(bodies)))]
    sum: u32,
}
struct Part;
fn main() {}
