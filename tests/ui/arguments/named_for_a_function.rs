use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    key: u8,
    n: u8,
    #[bin(with = codec, args(key, width = n))]
    data: Vec<u8>,
}

fn main() {}
