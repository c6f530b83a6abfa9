use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(big, bits = [u8; 33], msb)]
struct Demo {
    #[bin(bits = 64)]
    a: u64,
}

fn main() {}
