use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(align_after = 4)]
    #[bin(align_after = 8)]
    a: u8,
}

fn main() {}
