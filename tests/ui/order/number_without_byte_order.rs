use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    size: u32,
}

fn main() {}
