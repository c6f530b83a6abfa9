use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
enum Demo {
    #[bin(magic = [1u16, 2u16])]
    Raw([u8; 2], u8),
    #[bin(magic = b"ab")]
    Other,
}

fn main() {}
