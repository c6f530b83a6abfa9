use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(endian = binfmt_runtime::Order::Big)]
#[repr(u16)]
enum Value {
    One = 1,
}

fn main() {}
