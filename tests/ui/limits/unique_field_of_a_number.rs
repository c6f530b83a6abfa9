use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(unique = name, count = 3)]
    a: Vec<u16>,
}

fn main() {}
