use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(level(padding = note reserved = note))]
    a: u8,
}

fn main() {}
