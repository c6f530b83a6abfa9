use binfmt_runtime::BinFormat;

#[derive(Clone)]
struct Head { offsets: [u8; 2] }

#[derive(BinFormat)]
struct Demo {
    #[bin(with = by_hand)]
    head: Head,
    #[bin(for_each = head.offsets, at = it)]
    numbers: Vec<[u8; 2]>,
}
fn main() {}
