use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(level(padding = fatal))]
    a: u8,
}

fn main() {}
