use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(with = codec, calc = 4)]
    a: u32,
}

fn main() {}
