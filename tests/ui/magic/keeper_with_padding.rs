use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(magic = [b"II", b"MM"])]
struct Value {
    #[bin(magic, pad_before = 1)]
    mark: [u8; 2],
}

fn main() {}
