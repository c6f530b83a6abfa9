use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    offset: i32,
    #[bin(at = offset, null = -1)]
    a: Option<u8>,
}

fn main() {}
