use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little, magic = 0x1_4646u16)]
struct Demo {
    a: u8,
}

fn main() {}
