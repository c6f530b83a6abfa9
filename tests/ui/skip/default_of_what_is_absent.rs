use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(if = true, default = 1)]
    kind: Option<u8>,
}

fn main() {}
