use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    n: u8,
    #[bin(cuont = n)]
    items: Vec<u16>,
}

fn main() {}
