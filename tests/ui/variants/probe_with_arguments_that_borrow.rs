use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(probe, args(name: &str))]
enum Demo {
    One([u8; 2]),
    Other(u8),
}

fn main() {}
