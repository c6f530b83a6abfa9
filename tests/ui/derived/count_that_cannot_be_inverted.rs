use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    n: u8,
    #[bin(count = n / 2)]
    items: Vec<u16>,
}

fn main() {}
