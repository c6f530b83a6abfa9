use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
enum Demo {
    #[bin(magic = [b"P5", b"P6"])]
    Raw([u8; 3], u8),
}

fn main() {}
