use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    flags: u8,
    #[bin(flag = flags & 4 == 1)]
    size: Option<u8>,
}

fn main() {}
