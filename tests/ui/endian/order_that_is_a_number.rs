use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(endian = if order > 2 { order } else { order == 2 })]
struct Demo {
    order: u8,
    number: u16,
}

fn main() {}
