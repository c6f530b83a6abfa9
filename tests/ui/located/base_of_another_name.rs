use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    offset: u32,
    #[bin(at = offset, base = parent)]
    a: u8,
}

fn main() {}
