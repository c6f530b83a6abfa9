use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo<'a> {
    #[bin(until_end, nul)]
    name: &'a str,
}

fn main() {}
