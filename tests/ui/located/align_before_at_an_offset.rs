use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    offset: u32,
    #[bin(at = offset, align_before = 4)]
    a: u8,
}

fn main() {}
