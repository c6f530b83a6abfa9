use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    n: u8,
    #[bin(if = n > 0, calc = 4)]
    size: Option<u32>,
}

fn main() {}
