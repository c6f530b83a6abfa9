use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(range = ..b)]
    a: u8,
    b: u8,
}

fn main() {}
