use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(pad_to = 8, pad_after = 2)]
    a: u8,
}

fn main() {}
