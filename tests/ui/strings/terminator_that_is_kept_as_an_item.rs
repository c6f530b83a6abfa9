use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(big)]
struct Demo {
    #[bin(until = kept(0))]
    items: Vec<u32>,
}

fn main() {}
