use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    #[bin(slot = 0)]
    a: u8,
}

fn main() {}
