use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo<'a> {
    #[bin(len = 4, pad_to = 2)]
    name: &'a str,
    #[bin(len = 4, nul, pad_to = 4)]
    title: &'a str,
}

fn main() {}
