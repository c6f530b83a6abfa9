use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    pair: (u8, u16),
}

fn main() {}
