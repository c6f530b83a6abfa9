use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    key: u8,
    #[bin(codec = Xor(key))]
    a: u8,
}

fn main() {}
