use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(args(names: &'a [u8]))]
struct Demo {
    #[bin(len = names.len())]
    bytes: Vec<u8>,
}

fn main() {}
