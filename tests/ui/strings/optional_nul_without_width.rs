use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo<'a> {
    #[bin(nul = optional)]
    name: &'a str,
}

fn main() {}
