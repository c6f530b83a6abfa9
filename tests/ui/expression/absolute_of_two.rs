use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    n: i8,
    #[bin(len = abs(n, 4))]
    data: Vec<u8>,
}

fn main() {}
