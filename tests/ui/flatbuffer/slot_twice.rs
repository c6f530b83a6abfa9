use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(flatbuffer)]
struct Demo {
    #[bin(slot = 1)]
    a: u8,
    #[bin(slot = 1)]
    b: u8,
}

fn main() {}
