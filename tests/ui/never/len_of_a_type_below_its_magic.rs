use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(magic = b"AB", len = 1)]
struct Empty {}

#[derive(BinFormat)]
#[bin(magic = b"AB", len = 6)]
struct Demo<'a> {
    #[bin(len = 4, nul)]
    name: &'a str,
}

fn main() {}
