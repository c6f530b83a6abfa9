use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
enum Demo {
    #[bin(magic = 1u16..=5)]
    Low([u8; 2], u8),
}

fn main() {}
