use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(count = 3)]
struct Demo {
    items: [u8; 3],
}

fn main() {}
