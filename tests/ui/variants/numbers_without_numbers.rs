use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[repr(u8)]
enum Demo {
    One,
    Two,
    Three,
}

fn main() {}
