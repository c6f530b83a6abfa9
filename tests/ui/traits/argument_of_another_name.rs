use binfmt_runtime::BinFormat;

#[derive(BinFormat, Clone)]
struct Entry {
    at: u8,
    kind: u8,
}

#[derive(BinFormat)]
#[bin(args(version: u8 = 0))]
struct Body {
    #[bin(if = version > 0)]
    more: Option<u8>,
}

#[derive(BinFormat)]
struct Demo {
    #[bin(prefix = u8)]
    entries: Vec<Entry>,
    #[bin(for_each = entries, at = it.at, args(kind = it.kind))]
    bodies: Vec<Body>,
}

fn main() {}
