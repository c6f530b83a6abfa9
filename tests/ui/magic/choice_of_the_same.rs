use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(magic = [b"II", b"II"])]
struct Value {
    #[bin(magic)]
    mark: [u8; 2],
}

fn main() {}
