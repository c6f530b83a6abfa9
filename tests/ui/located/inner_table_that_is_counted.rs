use binfmt_runtime::BinFormat;

#[derive(BinFormat, Clone)]
struct Head { offsets: [u8; 2] }

#[derive(BinFormat)]
#[bin(check(count(numbers) > 1, "few"))]
struct Demo {
    head: Head,
    #[bin(for_each = head.offsets, at = it)]
    numbers: Vec<[u8; 2]>,
}
fn main() {}
