use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(bitflags)]
struct Flags<'a>(#[bin(until_end)] &'a str);

fn main() {}
