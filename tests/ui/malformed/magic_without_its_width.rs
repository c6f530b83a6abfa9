use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little, magic = 0x4646_4952)]
struct Demo {
    a: u8,
}

fn main() {}
