use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(magic = 0x4646_4952u32)]
struct Demo {
    a: u8,
}

fn main() {}
