use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(endian = inherit)]
enum Value {
    #[bin(magic = b"A")]
    One,
}

fn main() {}
