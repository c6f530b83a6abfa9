use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(pad_after = 2 align_after = 4)]
    a: u8,
}

fn main() {}
