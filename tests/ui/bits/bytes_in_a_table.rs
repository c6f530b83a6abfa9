use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little, bits = [u8; 2], msb, flatbuffer, inline)]
struct Demo {
    #[bin(bits = 16)]
    a: u16,
}

fn main() {}
