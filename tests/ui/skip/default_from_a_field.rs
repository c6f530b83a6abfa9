use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    first: u8,
    #[bin(skip, default = first)]
    copy: u8,
}

fn main() {}
