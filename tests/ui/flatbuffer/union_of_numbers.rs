use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(flatbuffer)]
struct Demo {
    #[bin(slot = 1, union)]
    a: Option<u8>,
}

fn main() {}
