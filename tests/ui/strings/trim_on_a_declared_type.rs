use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    #[bin(len = 16, trim = b' ')]
    name: Name,
}

#[derive(BinFormat)]
struct Name {
    first: u8,
}

fn main() {}
