use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo<'a> {
    #[bin(len = 8, nul = maybe)]
    name: &'a str,
}

fn main() {}
