use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(args(version: u16))]
struct Demo {
    #[bin(skip, default = version)]
    version: u8,
    #[bin(skip, default = version + 1)]
    next: u16,
    a: u8,
}

fn main() {}
