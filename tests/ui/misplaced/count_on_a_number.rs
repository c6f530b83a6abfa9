use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    n: u8,
    #[bin(count = n)]
    item: u16,
}

fn main() {}
