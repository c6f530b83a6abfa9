use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(flatbuffer, identifier = b"ABCDE")]
struct Demo {
    #[bin(slot = 0)]
    a: u32,
}

fn main() {}
