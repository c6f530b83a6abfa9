use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(big)]
struct Index {
    count: u8,
    #[bin(count = count.low)]
    ends: Vec<u32>,
    #[bin(for_each = ends, len = it.end - (previous.end or 0))]
    texts: Vec<String>,
}

fn main() {}
