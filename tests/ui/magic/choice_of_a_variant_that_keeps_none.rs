use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
enum Demo {
    #[bin(magic = [b"P5", b"P6"])]
    Raw(#[bin(prefix = u8)] Vec<u8>),
}

fn main() {}
