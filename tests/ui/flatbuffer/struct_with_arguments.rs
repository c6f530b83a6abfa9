use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(flatbuffer, inline, args(scale: u16 = 1))]
struct Point {
    x: u32,
    y: u32,
}

fn main() {}
