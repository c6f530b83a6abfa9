use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    flags: u8,
    #[bin(flag = flags & (1 << 8))]
    a: Option<u8>,
}

fn main() {}
