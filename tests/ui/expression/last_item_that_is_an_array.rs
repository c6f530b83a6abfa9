use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    #[bin(until = last)]
    items: Vec<[u8; 2]>,
}

fn main() {}
