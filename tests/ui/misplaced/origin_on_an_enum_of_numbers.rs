use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(origin)]
#[repr(u8)]
enum Kind {
    One = 1,
}

fn main() {}
