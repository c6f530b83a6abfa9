use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo<'a> {
    #[bin(until_end, trim = 0)]
    name: &'a str,
}

fn main() {}
