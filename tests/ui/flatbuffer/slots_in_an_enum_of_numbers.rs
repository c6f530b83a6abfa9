use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[repr(u8)]
enum Demo {
    #[bin(slots = 2)]
    One = 1,
}

fn main() {}
