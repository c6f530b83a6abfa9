use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(endian = magic, magic = 0x950412deu32)]
struct Demo {
    number: u32,
}

fn main() {}
