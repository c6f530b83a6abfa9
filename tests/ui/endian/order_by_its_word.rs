use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(endian = if order == 2 { big } else { little })]
struct Demo {
    order: u8,
    number: u16,
}

fn main() {}
