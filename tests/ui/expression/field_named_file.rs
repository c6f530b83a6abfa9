use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Entry {
    file: u8,
    at: u8,
    #[bin(at = at, base = file)]
    value: u8,
}

fn main() {}
