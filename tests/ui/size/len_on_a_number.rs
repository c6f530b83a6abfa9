use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(len = 4)]
    a: u32,
}

fn main() {}
