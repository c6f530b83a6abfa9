use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(is_big)]
struct Demo {
    a: u8,
}

fn main() {}
