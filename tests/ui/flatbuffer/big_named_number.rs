use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(flatbuffer, big)]
#[repr(u16)]
enum Demo {
    One = 1,
}

fn main() {}
