use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Value {
    #[bin(magic = [b"II", b"MM"])]
    number: u8,
}

fn main() {}
