use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(bitflags)]
struct Flags(u8);

fn main() {}
