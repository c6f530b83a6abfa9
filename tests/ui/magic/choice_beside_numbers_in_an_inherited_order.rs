use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(endian = inherit)]
enum Demo {
    #[bin(magic = [b"AB", b"AC"])]
    Either([u8; 2]),
    #[bin(magic = 3u16)]
    One,
}

fn main() {}
