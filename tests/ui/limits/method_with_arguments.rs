use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(count = 3, unique = end(2))]
    a: Vec<Demo>,
}

fn main() {}
