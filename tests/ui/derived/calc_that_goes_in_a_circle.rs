use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(calc = b + 1)]
    a: u8,
    #[bin(calc = a + 1)]
    b: u8,
}

fn main() {}
