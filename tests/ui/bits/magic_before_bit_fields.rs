use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(bits = u8, lsb, magic = b"M")]
struct Demo {
    #[bin(bits = 8)]
    low: u8,
}

fn main() {}
