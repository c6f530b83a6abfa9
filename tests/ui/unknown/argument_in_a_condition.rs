use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(args(flaged: bool))]
struct Demo {
    #[bin(if = flagged)]
    extra: Option<u8>,
}

fn main() {}
