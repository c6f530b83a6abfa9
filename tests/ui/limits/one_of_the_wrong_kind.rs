use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(one_of = ["a"])]
    a: u8,
}

fn main() {}
