use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(computed(half: u8 = 2))]
#[repr(u8)]
enum Value {
    One = 1,
}

fn main() {}
