use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
enum Demo {
    #[bin(magic = [b"P5", b"P5"])]
    Raw([u8; 2], u8),
}

fn main() {}
