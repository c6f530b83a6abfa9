use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    kind: u8,
    #[bin(if = kind == 'a')]
    body: Option<u8>,
}

fn main() {}
