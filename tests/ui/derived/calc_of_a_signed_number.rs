use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    n: i16,
    #[bin(calc = n)]
    copy: u32,
}

fn main() {}
