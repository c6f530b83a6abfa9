use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(endian = inherit)]
enum Demo {
    #[bin(magic = 1u16)]
    A(u16),
    #[bin(magic = b"AB")]
    B,
}

fn main() {}
