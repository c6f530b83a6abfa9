use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Entry {
    start: u8,
    at: u8,
    #[bin(at = at, base = start)]
    value: u8,
}

fn main() {}
