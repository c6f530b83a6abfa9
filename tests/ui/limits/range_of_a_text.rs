use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(len = 4, range = 0..=1)]
    a: String,
}

fn main() {}
