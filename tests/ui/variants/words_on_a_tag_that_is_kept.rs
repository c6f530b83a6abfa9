use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(tag = kind, args(kind: u8))]
enum Demo {
    #[bin(id = 1)]
    One(u8),
    #[bin(other)]
    Other(#[bin(until_end)] Vec<u8>),
}

fn main() {}
