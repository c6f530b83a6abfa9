use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    n: u8,
    #[bin(count = n)]
    items: Vec<Option<u8>>,
}

fn main() {}
