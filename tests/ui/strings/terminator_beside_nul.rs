use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo<'a> {
    #[bin(nul, until = b'|')]
    text: &'a str,
}

fn main() {}
