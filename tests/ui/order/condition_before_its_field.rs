use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(if = n > 0)]
    extra: Option<u8>,
    n: u8,
}

fn main() {}
