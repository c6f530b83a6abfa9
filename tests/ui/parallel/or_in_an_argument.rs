use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Index {
    #[bin(prefix = u8)]
    ends: Vec<u8>,
    #[bin(for_each = ends, len = max(it, previous or 0))]
    texts: Vec<String>,
}

fn main() {}
