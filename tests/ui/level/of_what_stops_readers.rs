use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(level(magic = note))]
    a: u8,
}

fn main() {}
