use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(big)]
struct Demo {
    #[bin(until = 0x1_0000)]
    items: Vec<u16>,
}

fn main() {}
