use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
enum Choice {
    #[bin(magic = 12u8)]
    Host(u8),
    #[bin(magic = 2u8..=254u8)]
    Other(u8),
}

fn main() {}
