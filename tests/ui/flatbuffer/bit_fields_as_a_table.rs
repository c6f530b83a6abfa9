use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(flatbuffer, bits = u16, lsb)]
struct Demo {
    #[bin(slot = 0)]
    first: u16,
}

fn main() {}
