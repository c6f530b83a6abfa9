use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    n: u8,
    #[bin(if = n = 3)]
    extra: Option<u8>,
}

fn main() {}
