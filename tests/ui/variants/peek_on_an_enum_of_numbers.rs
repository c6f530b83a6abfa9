use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(peek = 8)]
#[repr(u8)]
enum Item {
    One = 1,
}

fn main() {}
