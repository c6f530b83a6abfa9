use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    low: i8,
    #[bin(range = low..)]
    a: u8,
}

fn main() {}
