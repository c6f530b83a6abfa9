use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    head: u8,
    #[bin(for_each = head.offsets, at = it)]
    numbers: Vec<[u8; 2]>,
}

fn main() {}
