use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(endian = inherit)]
enum Demo {
    #[bin(magic = [1u16, 2u16])]
    Raw([u8; 2], u8),
    #[bin(magic = 3u16)]
    Other,
}

fn main() {}
