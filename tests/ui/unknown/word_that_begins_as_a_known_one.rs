use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    n: u8,
    #[bin(lenght = n)]
    body: Vec<u8>,
}

fn main() {}
