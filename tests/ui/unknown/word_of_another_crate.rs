use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(assert(a > 0))]
    a: u8,
}

fn main() {}
