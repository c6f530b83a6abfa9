use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
enum Demo {
    #[bin(magic = [b"P5", b"P"])]
    Raw([u8; 2], u8),
}

fn main() {}
