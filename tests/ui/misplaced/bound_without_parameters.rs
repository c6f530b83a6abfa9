use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(bound(T: Copy))]
struct Demo {
    byte: u8,
}

fn main() {}
