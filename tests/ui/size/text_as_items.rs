use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo<'a> {
    n: u8,
    #[bin(count = n)]
    names: Vec<&'a str>,
}

fn main() {}
