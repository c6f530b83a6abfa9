use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(endian = magic, magic = [0x4d4du16])]
struct Value {
    #[bin(magic)]
    mark: [u8; 2],
}

fn main() {}
