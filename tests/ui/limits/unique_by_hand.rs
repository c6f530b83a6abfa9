use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(with = hand, unique)]
    a: Vec<u16>,
}

fn main() {}
