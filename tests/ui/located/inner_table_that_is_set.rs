use binfmt_runtime::BinFormat;

#[derive(BinFormat, Clone)]
struct Head { offsets: [u8; 2], size: u8 }

#[derive(BinFormat)]
struct Demo {
    #[bin(set(size = 1, offsets = 2))]
    head: Head,
    #[bin(for_each = head.offsets, at = it)]
    numbers: Vec<[u8; 2]>,
}
fn main() {}
