use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(big)]
struct Demo {
    #[bin(until = last)]
    items: Vec<u16>,
}

fn main() {}
