use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    offset: u32,
    #[bin(at = offset, null = 0u32)]
    a: Option<u8>,
}

fn main() {}
