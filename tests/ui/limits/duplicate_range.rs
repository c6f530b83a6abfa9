use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(range = 1..9, range = 2..4)]
    a: u8,
}

fn main() {}
