use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(flatbuffer)]
struct Demo {
    #[bin(slot = 0, default = 1)]
    a: Kind,
}

#[derive(BinFormat)]
#[bin(flatbuffer)]
#[repr(u8)]
enum Kind {
    One = 1,
}

fn main() {}
