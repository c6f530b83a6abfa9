use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    many: (u8, u8, u8, u8, u8, u8, u8, u8, u8),
}

fn main() {}
