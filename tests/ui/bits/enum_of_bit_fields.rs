use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(bits = u8)]
#[repr(u8)]
enum Demo {
    One = 1,
}

fn main() {}
