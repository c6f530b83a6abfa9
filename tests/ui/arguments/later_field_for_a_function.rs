use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(with = codec, args(key + 1))]
    data: Vec<u8>,
    key: u8,
}

fn main() {}
