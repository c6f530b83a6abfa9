use binfmt_runtime::BinFormat;

#[derive(BinFormat, Clone)]
struct Head {
    #[bin(prefix = u8)]
    ends: Vec<u8>,
}

#[derive(BinFormat)]
struct Index {
    head: Head,
    #[bin(for_each = head.ends, len = it - (previous or 0))]
    texts: Vec<String>,
}

fn main() {}
