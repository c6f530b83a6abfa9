use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    n: u8,
    #[bin(with = codec, count = n)]
    data: Vec<u8>,
}

fn main() {}
