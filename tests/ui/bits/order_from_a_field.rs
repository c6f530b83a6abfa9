use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(endian = if kind == 1 { binfmt_runtime::Order::Big } else { binfmt_runtime::Order::Little }, bits = u16, lsb)]
struct Demo {
    #[bin(bits = 4)]
    kind: u8,
    #[bin(bits = 12)]
    size: u16,
}

fn main() {}
