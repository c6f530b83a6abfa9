use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little, big)]
struct Demo {
    a: u16,
}

fn main() {}
