use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[repr(usize)]
enum Kind {
    One = 1,
    Two = 2,
}

fn main() {}
