use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[repr(u16)]
enum Kind {
    One = 1,
}

fn main() {}
