use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Index {
    previous: u8,
    #[bin(prefix = u8)]
    ends: Vec<u8>,
    #[bin(for_each = ends, len = it - (previous or 0))]
    texts: Vec<String>,
}

fn main() {}
