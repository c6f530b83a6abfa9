use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    depth: u8,
    next: Box<Demo>,
}

fn main() {}
