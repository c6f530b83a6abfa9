use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(pad_after = n)]
    n: u8,
}

fn main() {}
