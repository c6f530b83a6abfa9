use binfmt_runtime::BinFormat;

#[derive(BinFormat, Clone)]
#[bin(little)]
struct Entry {
    size: u8,
    kind: u8,
    sum: u32,
}

fn kind(entry: &Entry) -> u8 {
    entry.kind
}

#[derive(BinFormat)]
#[bin(args(kind: u8))]
struct Body {
    #[bin(if = kind == 1)]
    first: Option<u8>,
    #[bin(until_end)]
    bytes: Vec<u8>,
}

#[derive(BinFormat)]
struct Demo {
    #[bin(prefix = u8)]
    entries: Vec<Entry>,
    #[bin(for_each = entries, len = it.size, args(kind = kind(it)), checksum(Crc32, it.sum))]
    bodies: Vec<Body>,
}

fn main() {}
