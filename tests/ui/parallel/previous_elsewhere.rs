use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Index {
    #[bin(prefix = u8)]
    ends: Vec<u8>,
    #[bin(for_each = ends, len = it, pad_after = (previous or 0))]
    texts: Vec<String>,
    #[bin(pad_before = (ends or 4))]
    behind: u8,
}

fn main() {}
