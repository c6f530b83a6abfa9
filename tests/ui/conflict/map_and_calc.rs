use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    #[bin(map([u8; 4], from_text, to_text), calc = len(data))]
    size: u64,
    #[bin(len = size)]
    data: Vec<u8>,
}

fn from_text(_: [u8; 4]) -> Option<u64> {
    None
}

fn to_text(_: &u64) -> Option<[u8; 4]> {
    None
}

fn main() {}
