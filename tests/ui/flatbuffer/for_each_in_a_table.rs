use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(flatbuffer)]
struct Demo {
    #[bin(slot = 0)]
    a: u8,
    #[bin(slot = 1, for_each = a)]
    b: Vec<u8>,
}

fn main() {}
