use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[repr(u8)]
enum Kind {
    One(u8) = 1,
}

fn main() {}
