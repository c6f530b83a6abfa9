use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo<'a> {
    #[bin(len = 16, trim = 0, nul)]
    name: &'a str,
}

fn main() {}
