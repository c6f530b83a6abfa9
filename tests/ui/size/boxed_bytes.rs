use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    data: Box<[u8]>,
}

fn main() {}
