use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(at = 16)]
    first: u32,
    #[bin(at = 19)]
    second: u16,
    #[bin(at = 16, view)]
    third: [u8; 4],
}

fn main() {}
