use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(align_after = 3)]
    a: u8,
}

fn main() {}
