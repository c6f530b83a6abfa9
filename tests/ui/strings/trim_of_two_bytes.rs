use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo<'a> {
    #[bin(len = 16, trim = 256)]
    name: &'a str,
}

fn main() {}
