use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(tag = kind, args(kind: u8, version: u8))]
enum Demo {
    #[bin(id = 3)]
    Old,
    #[bin(id = 3 if version > 1)]
    New,
}

fn main() {}
