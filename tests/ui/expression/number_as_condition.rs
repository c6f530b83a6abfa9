use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    flags: u8,
    #[bin(if = flags & 1)]
    extra: Option<u8>,
}

fn main() {}
