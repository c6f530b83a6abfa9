use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(computed(title: &'static str = name))]
struct Demo<'a> {
    #[bin(nul)]
    name: &'a str,
}

fn main() {}
