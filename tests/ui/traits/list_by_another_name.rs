use binfmt_runtime::BinFormat;

type Data = Vec<u8>;

#[derive(BinFormat)]
struct Demo {
    #[bin(prefix = u8)]
    data: Data,
}

fn main() {}
