use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
enum Demo {
    Number(Box<u8>),
}

fn main() {}
