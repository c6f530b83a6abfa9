use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(one_of = [1, 256])]
    a: u8,
}

fn main() {}
