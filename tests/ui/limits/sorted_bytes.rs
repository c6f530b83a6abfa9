use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    len: u8,
    #[bin(len = len, sorted_by = it)]
    bytes: Vec<u8>,
}

fn main() {}
