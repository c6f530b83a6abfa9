use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    n: u8,
    #[bin(if = n && true)]
    extra: Option<u8>,
}

fn main() {}
