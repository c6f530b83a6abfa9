use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    n: u8,
    #[bin(calc = n - 4)]
    below: i8,
}

fn main() {}
