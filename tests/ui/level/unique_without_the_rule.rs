use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(count = 2, level(unique = note))]
    a: Vec<u16>,
}

fn main() {}
