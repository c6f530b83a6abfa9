use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little, bits = u8, lsb, version = part, tag = part, origin)]
struct Demo {
    #[bin(bits = 8)]
    part: u8,
}

fn main() {}
