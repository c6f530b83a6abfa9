use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(endian = if len(mark) == 2 { Order::Little } else { Order::Big })]
struct Demo {
    #[bin(prefix = u8)]
    mark: Vec<u8>,
    number: u32,
}

fn main() {}
