use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo<'a> {
    #[bin(len = 9, until = b'|')]
    text: &'a str,
}

fn main() {}
