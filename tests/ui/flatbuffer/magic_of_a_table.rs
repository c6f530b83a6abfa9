use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(flatbuffer, magic = b"ABCD")]
struct Demo {
    #[bin(slot = 0)]
    a: u32,
}

fn main() {}
