use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(offset_of = 3)]
    a: u8,
}

fn main() {}
