use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(range = 0..=255)]
    a: u8,
}

fn main() {}
