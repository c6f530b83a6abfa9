use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[repr(u8)]
enum Kind {
    One = 1,
    Two,
}

fn main() {}
