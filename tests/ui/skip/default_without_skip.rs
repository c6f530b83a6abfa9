use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(default = 1)]
    kind: u8,
}

fn main() {}
