use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    order: [u8; 2],
    #[bin(if = order == b"I")]
    number: Option<u8>,
}

fn main() {}
