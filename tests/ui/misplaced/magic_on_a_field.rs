use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(magic = b"ABCD")]
    a: u8,
}

fn main() {}
